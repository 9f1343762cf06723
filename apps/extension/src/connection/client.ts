import { Periscope } from "@periscope/client";

/** Sends a request without cookies, and follows no redirect with the key. */
const send: typeof fetch = (input, init) =>
  fetch(input, { ...init, cache: "no-store", credentials: "omit", redirect: "error", referrerPolicy: "no-referrer" });

/** The client of a server. `server` is the base address with `/api/v1`. */
export function createClient(server: string, key: string, options: { fetch?: typeof fetch; timeoutMs?: number } = {}): Periscope {
  return new Periscope({ baseUrl: server, apiKey: () => key, fetch: send, logLevel: "off", maxRetries: 0, timeoutMs: 8_000, ...options });
}
