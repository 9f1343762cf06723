/** What this package reads of its surroundings; every runtime has another part of it. */
interface Surroundings {
  process?: { env?: Record<string, string | undefined> };
  document?: unknown;
  window?: unknown;
}

const surroundings = globalThis as Surroundings;

/** A variable of the environment, without blanks around it; undefined where there is none, or where reading it is not permitted. */
export function variable(name: "PERISCOPE_BASE_URL" | "PERISCOPE_API_KEY" | "PERISCOPE_LOG"): string | undefined {
  try {
    return surroundings.process?.env?.[name]?.trim() || undefined;
  } catch {
    return undefined;
  }
}

/** Whether this runs in a web page, where everything that the script holds is the visitor's to read. A worker is no page. */
export function isWebPage(): boolean {
  return surroundings.window !== undefined && surroundings.document !== undefined;
}
