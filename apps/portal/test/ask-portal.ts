import type { Portal } from "@periscope/harness/portal";

/** Calls a procedure that changes something, with the cookie of a session. */
export async function askPortal<Answer>({ origin }: Portal, cookie: string, procedure: string, input: object): Promise<Answer> {
  const headers = { "Content-Type": "application/json", Origin: origin, Cookie: cookie };
  const response = await fetch(`${origin}/portal/trpc/${procedure}`, { method: "POST", headers, body: JSON.stringify(input) });
  if (!response.ok) throw new Error(`${procedure}: ${response.status} ${await response.text()}`);
  const { result } = (await response.json()) as { result: { data: Answer } };
  return result.data;
}
