import { ApiError, ConnectionError, type KeyInfo, type Periscope, RateLimitError, ServerError, TimeoutError } from "@periscope/client";
import type { Words, WordsName } from "../words/words.js";

/** Whether a key works, and if not, what to do about it. */
export type ConnectionResult = { isConnected: true; key: KeyInfo } | { isConnected: false; text: string };

/** Asks the server who the key is. Never rejects. */
export async function testConnection(client: Periscope, words: Words): Promise<ConnectionResult> {
  try {
    const key = await client.key();
    return key.scopes.includes("write") ? { isConnected: true, key } : { isConnected: false, text: words("testScope") };
  } catch (error) {
    return { isConnected: false, text: failureWords(error, client.baseUrl, words) };
  }
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
