/** How far a connection came. */
export type ConnectionResult =
  | { is: "ok"; scopes: Scope[] }
  /** No key was given; the server is there. */
  | { is: "no-key" }
  | { is: "unreachable" }
  /** Something is there, and no safe connection to it. */
  | { is: "tls" }
  /** One of the two: browsers do not tell which. */
  | { is: "unreachable-or-tls" }
  | { is: "timeout"; seconds: number }
  /** Something other than Periscope answers, such as a login page. */
  | { is: "wrong-address" }
  | { is: "unauthorized" }
  /** The key may not write. */
  | { is: "scope" }
  | { is: "rate-limited"; seconds: number }
  | { is: "server-error"; status: number };

/** What a key may do. */
export type Scope = "read" | "write" | "delete";

/** What is tested. */
export interface ConnectionTest {
  /** Base address with `/api/v1`. */
  server: string;
  key: string;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Milliseconds for one request. Default 8,000. */
  requestMs?: number;
}

/** An id that no context has: the server makes none of this kind. */
const nobody = "periscope-extension-connection-test";

/**
 * Finds out whether messages can be sent with a key, without sending any: an empty batch is refused for its scope before it is looked at, and for
 * being empty after. Never rejects.
 */
export async function testConnection({ server, key, fetch, requestMs = 8_000 }: ConnectionTest): Promise<ConnectionResult> {
  const base = {
    cache: "no-store",
    credentials: "omit",
    redirect: "error",
    referrerPolicy: "no-referrer",
  } as const satisfies RequestInit;
  const ask = async (path: string, init: RequestInit = {}) => {
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json", Accept: "application/json" };
    const response = await fetch(server + path, { ...base, ...init, headers, signal: AbortSignal.timeout(requestMs) });
    return { status: response.status, headers: response.headers, code: codeOf(await response.text()) };
  };
  try {
    const written = await ask("/context/batch-sync", { method: "POST", body: "{}" });
    const { status } = written;
    if (status === 429) return { is: "rate-limited", seconds: Number(written.headers.get("Retry-After")) || 60 };
    // What names itself as the service does, and nothing else, is it.
    if (written.code === undefined) return status >= 500 ? { is: "server-error", status } : { is: "wrong-address" };
    if (status === 401) return key === "" ? { is: "no-key" } : { is: "unauthorized" };
    if (status === 403) return { is: "scope" };
    if (status >= 500) return { is: "server-error", status };
    if (status !== 400) return { is: "wrong-address" };
    const read = await ask("/context/history?limit=1");
    const removed = await ask(`/context/${nobody}`, { method: "DELETE" });
    return {
      is: "ok",
      scopes: ["write", ...(read.status === 200 ? ["read" as const] : []), ...(removed.status === 404 ? ["delete" as const] : [])],
    };
  } catch (error) {
    if ((error as Error).name === "TimeoutError") return { is: "timeout", seconds: requestMs / 1_000 };
    return await whyNone({ server, fetch, requestMs });
  }
}

/** A server that speaks https answers to http on the same port as well, if only to say that this is wrong; then what failed was https. */
async function whyNone({ server, fetch, requestMs }: Required<Omit<ConnectionTest, "key">>): Promise<ConnectionResult> {
  const isSafe = server.startsWith("https:");
  try {
    // Without the key, which must not travel in the clear.
    await fetch(server.replace(/^https:/, "http:"), {
      mode: "no-cors",
      credentials: "omit",
      redirect: "manual",
      signal: AbortSignal.timeout(requestMs),
    });
    return isSafe ? { is: "tls" } : { is: "wrong-address" };
  } catch {
    return isSafe ? { is: "unreachable-or-tls" } : { is: "unreachable" };
  }
}

/** The code of an error of the service; undefined for anything else. */
function codeOf(text: string): string | undefined {
  try {
    const { error, message } = JSON.parse(text) as { error?: unknown; message?: unknown };
    return typeof error === "string" && typeof message === "string" ? error : undefined;
  } catch {
    return undefined;
  }
}
