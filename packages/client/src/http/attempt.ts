import ky from "ky";
import { PeriscopeError } from "../errors/periscope-error.js";
import { codeOf, redact, wordsOf } from "../redact.js";
import type { Settings } from "../settings.js";
import type { ApiRequest } from "./api-request.js";
import { Ended, within } from "./time-limit.js";

/** An answer, whole but for a body that the request left unread. */
export interface Answer {
  status: number;
  statusText: string;
  type: Response["type"];
  headers: Headers;
  /** Address that answered. */
  url: string;
  /** The body, whole; empty while it is unread. */
  text: string;
  /** The body of a success that the request left unread. */
  unread?: ReadableStream<Uint8Array> | null;
}

/** A failure of the runtime: its innermost words and code, without the key. */
export type Failure = Error & { code?: string };

/** How one attempt ended. Without a key nothing was sent: `network` is the failure of the key function then. */
export type AttemptEnd = { key?: string | undefined } & (
  | { answer: Answer; error?: undefined }
  | { answer?: undefined; error: "aborted" | "timeout" }
  | { answer?: undefined; error: "network"; cause: Failure }
);

/** What bounds one attempt, and what it sends beside the request. */
export interface AttemptOptions {
  ms: number;
  signal: AbortSignal | undefined;
  /** Those of the settings and of the call; an attempt sets its own in them. */
  headers: Headers;
}

// Everything that decides is ours: ky repeats nothing, limits nothing and judges no status.
const http = ky.create({ retry: 0, timeout: false, throwHttpErrors: false });

/**
 * Sends a request once and reads its whole answer. Never longer than the limit, whatever the key function, `fetch` and the body do.
 * @throws PeriscopeError when the key is none
 */
export async function attempt(request: ApiRequest, settings: Settings, options: AttemptOptions): Promise<AttemptEnd> {
  let key: string | undefined;
  try {
    const answer = await within(options.ms, options.signal, async (signal) => {
      key = await keyOf(settings);
      const response = await start(request, settings, { key, signal, headers: options.headers });
      const { status, statusText, type, url, headers } = response;
      const head = { status, statusText, type, url, headers };
      return request.unread && response.ok ? { ...head, text: "", unread: response.body } : { ...head, text: await response.text() };
    });
    return { answer, key };
  } catch (thrown) {
    if (thrown instanceof Ended) return { error: thrown.by, key };
    if (key === undefined && !(thrown as PeriscopeError).retryable) throw thrown;
    // ky's errors hold the request, key and all, and some runtimes quote a header that they refuse: only clean words leave.
    const words = redact(wordsOf(thrown), key === undefined ? [] : [key]);
    const code = codeOf(thrown);
    return { error: "network", key, cause: Object.assign(new Error(words), code !== undefined && { code }) };
  }
}

interface Start {
  key: string;
  signal: AbortSignal;
  headers: Headers;
}

/**
 * Further headers: those of the settings, and over them those of a call.
 * @throws PeriscopeError that names one that HTTP does not allow
 */
export function furtherHeaders(...given: (Readonly<Record<string, string>> | undefined)[]): Headers {
  const headers = new Headers();
  for (const [name, value] of given.flatMap((some) => Object.entries(some ?? {}))) {
    try {
      headers.set(name, value);
    } catch {
      throw new PeriscopeError(`headers: HTTP does not allow the name or the value of ${JSON.stringify(name)}.`);
    }
  }
  return headers;
}

function start({ method, path, query, body, type = "application/json" }: ApiRequest, settings: Settings, given: Start): Promise<Response> {
  const { headers, signal } = given;
  // Set last, in whatever case another one of that name was written.
  headers.set("Accept", "application/json");
  headers.set("Authorization", `Bearer ${given.key}`);
  if (body !== undefined) headers.set("Content-Type", type);
  const address = settings.baseUrl + path + query;
  const init: RequestInit = {
    method,
    headers,
    // The key and the messages are for this address alone, and a redirect makes a GET of some requests.
    redirect: "manual",
    ...(body !== undefined && { body: body as string }),
  };
  return http(address, {
    ...init,
    // An address, not ky's `Request`: a `fetch` that is not the runtime's, such as undici's, does not know that class.
    // The signal past ky, which would join it with one of its own: that costs as much as half of the call.
    // Without a `this`: that of browsers and of some workers takes no other than its own.
    fetch: () => settings.fetch.call(undefined, address, { ...init, signal }),
  });
}

async function keyOf({ apiKey }: Settings): Promise<string> {
  let key: unknown;
  try {
    key = await apiKey();
  } catch (error) {
    throw new PeriscopeError(`The apiKey function failed: ${redact(wordsOf(error))}`, { retryable: true });
  }
  // A file or a variable often ends with a line break.
  const text = String(key).trim();
  // Runtimes quote a header that they refuse; and with " and \ the key would look different in JSON, and stay in it.
  if (!key || !/^[!#-[\]-~]+$/.test(text))
    throw new PeriscopeError("The API key must be visible ASCII without blanks, quotes and backslashes.");
  return text;
}
