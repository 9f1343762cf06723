import { ApiError, ConnectionError, Periscope, RateLimitError, ServerError, TimeoutError } from "@periscope/client";
import type { Settings } from "../settings/settings.js";
import type { Words, WordsName } from "../words/words.js";

/** Sends a request without cookies. The client follows no redirect. */
const send: typeof fetch = (input, init) =>
  fetch(input, { ...init, cache: "no-store", credentials: "omit", referrerPolicy: "no-referrer" });

/** The client of a server. `server` is the base address with `/api/v1`. */
export function createClient(server: string, key: string, options: { fetch?: typeof fetch; timeoutMs?: number } = {}): Periscope {
  return new Periscope({ baseUrl: server, apiKey: () => key, fetch: send, logLevel: "off", maxRetries: 0, timeoutMs: 8_000, ...options });
}

/** The client for what is set; undefined while no server or key is. */
export const clientOf = ({ settings: { server }, key }: { settings: Pick<Settings, "server">; key: string }): Periscope | undefined =>
  server === "" || key === "" ? undefined : createClient(server, key);

/** Asks the server who the key is: whether it works, and if not, what to do about it. Never rejects. */
export async function testConnection(client: Periscope, words: Words) {
  try {
    const key = await client.key();
    if (key.scopes.includes("write")) return { isConnected: true as const, key };
    return { isConnected: false as const, text: words("testScope"), isKeyRefused: true };
  } catch (error) {
    const isKeyRefused = ApiError.is(error) && error.code === "unauthorized";
    return { isConnected: false as const, text: failureWords(error, client.baseUrl, words), isKeyRefused };
  }
}

/** What is wrong with an address; undefined when a Periscope server answers there. */
export async function testServer(server: string, words: Words): Promise<string | undefined> {
  const client = createClient(server, "none");
  try {
    await client.key();
  } catch (error) {
    const isPeriscope = ApiError.is(error) && error.code === "unauthorized";
    return isPeriscope ? undefined : failureWords(error, client.baseUrl, words);
  }
  return words("testWrongAddress");
}

/** What went wrong with a request to the server, and what to do. */
export function failureWords(error: unknown, server: string, words: Words): string {
  if (TimeoutError.is(error)) return words("testTimeout");
  if (ConnectionError.is(error)) return words(server.startsWith("https:") ? "testUnreachableTls" : "testUnreachable");
  if (RateLimitError.is(error)) return words("testRateLimited", Math.ceil(error.retryAfterMs / 1_000));
  if (ServerError.is(error)) return words("testServerError", error.status);
  // Only Periscope has codes of its own. Anything else is a proxy, a login page or another program.
  return words((ApiError.is(error) && refusals[error.code]) || "testWrongAddress");
}

const refusals: Readonly<Record<string, WordsName>> = { unauthorized: "testUnauthorized", forbidden: "testForbidden" };
