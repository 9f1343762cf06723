import type { Logger, LogLevel } from "./log.js";
import type { RateLimit } from "./rate-limit.js";

/** What one answer of the service told about itself; for metrics and logs. */
export interface ResponseInfo {
  /** Method of the request. */
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** Path below the base address, without its query. */
  path: string;
  /** Status of the answer. */
  status: number;
  /** Identifier of the answer; null when something other than the service answered. */
  requestId: string | null;
  /** Requests that the call has sent so far, this one included. */
  attempts: number;
  /** Where the user stands in the budget; null when the answer did not say. */
  rateLimit: RateLimit | null;
  /** Milliseconds that this attempt took. */
  durationMs: number;
}

/** Settings of one call. */
export interface CallOptions {
  /** Ends the call, also while it waits for another attempt; it rejects with `AbortedError`. */
  signal?: AbortSignal | undefined;
  /** Milliseconds that one attempt may take, its whole answer included. */
  timeoutMs?: number | undefined;
  /** Milliseconds that the whole call may take, waits and repeats included. */
  deadlineMs?: number | undefined;
  /** How often a failed attempt is repeated. */
  maxRetries?: number | undefined;
  /** Further headers. */
  headers?: Readonly<Record<string, string>> | undefined;
}

/** Settings of a client. */
export interface PeriscopeOptions {
  /**
   * Address of the service, such as `http://127.0.0.1:3000/api/v1`; without a version prefix, `/api/v1` is added.
   * Redirects are not followed.
   * @default the variable PERISCOPE_BASE_URL
   */
  baseUrl?: string | undefined;
  /**
   * The API key, or a function that has it: it is called for each attempt, and once more when the service no longer accepts the key, so
   * that keys can be rotated and short-lived. In a web page only a function is accepted, since a page's script is the visitor's to read.
   * @default the variable PERISCOPE_API_KEY
   */
  apiKey?: string | (() => string | Promise<string>) | undefined;
  /**
   * Milliseconds that one attempt may take, its whole answer included.
   * @default 10_000; an hour for `data.import`, `previewDelete`, `deleteWhere` and `erase`
   */
  timeoutMs?: number | undefined;
  /**
   * Milliseconds that a whole call may take, waits and repeats included: a call always ends.
   * @default 60_000; an hour for the same four
   */
  deadlineMs?: number | undefined;
  /**
   * How often an attempt is repeated that failed for a passing reason. Every call is safe to repeat.
   * @default 2
   */
  maxRetries?: number | undefined;
  /**
   * What sends requests, in place of the runtime's own `fetch`. It is called with an address as a text.
   * @default globalThis.fetch
   */
  fetch?: typeof fetch | undefined;
  /** Further headers of every request, such as those that a proxy wants. */
  headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Where log lines go.
   * @default console
   */
  logger?: Logger | undefined;
  /**
   * How much is logged; never keys, queries or content.
   * @default the variable PERISCOPE_LOG, else "warn"
   */
  logLevel?: LogLevel | undefined;
  /** Called with each answer, also with those that are followed by another attempt. */
  onResponse?: ((info: ResponseInfo) => void | Promise<void>) | undefined;
}
