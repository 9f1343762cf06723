import type { Context, HistoryItem, SearchHit } from "@periscope/schemas";
import type { ContextQuery, HistoryQuery, SearchQuery } from "./queries.js";

/** A page of history. */
export interface HistoryAnswer {
  /** Newest first. */
  items: readonly HistoryItem[];
  /** How many there are on all pages. */
  total: number;
  /** Where the page after this one begins; absent on the last. */
  nextCursor?: string | undefined;
}

/** A page of search results, from the offset that was asked for. */
export interface SearchAnswer {
  /** Best first. */
  items: readonly SearchHit[];
  /** How many there are on all pages. */
  total: number;
  /** False when `total` is a lower bound. */
  totalIsExact: boolean;
  /** What was searched instead, when the query looked mistyped. */
  correctedQuery?: string | undefined;
}

/** How a call ends early. */
export interface SourceOptions {
  /** Ends the call: nobody waits for it any more. */
  signal?: AbortSignal | undefined;
}

/**
 * Where the tools get contexts from: the service over HTTP, or its own procedures. Every method may reject with {@link SourceError};
 * of any other error nothing is told to the model.
 *
 * @example
 * // Over HTTP, by `@periscope/mcp/client-source`.
 * const source: ContextSource = createClientSource(new Periscope());
 */
export interface ContextSource {
  /** The context viewed last; null when there is none yet. */
  current(query: ContextQuery, options: SourceOptions): Promise<Context | null>;
  /** A page of contexts without content, newest first. */
  history(query: HistoryQuery, options: SourceOptions): Promise<HistoryAnswer>;
  /** A page of contexts that match, best first. */
  search(query: SearchQuery, options: SourceOptions): Promise<SearchAnswer>;
  /** One context with its content; rejects with `not_found` when there is none. */
  get(contextId: string, query: ContextQuery, options: SourceOptions): Promise<Context>;
  /**
   * Calls `onChange` each time that another context becomes current, or the current one changes, until the signal ends it. Absent where
   * that cannot be known.
   * @param options.onEnd called when the source ends it by itself
   */
  follow?(onChange: () => void, options: { signal: AbortSignal; onEnd: () => void }): void;
  /** False when there was no such context. */
  delete(contextId: string, options: SourceOptions): Promise<boolean>;
}

/** What went wrong, as far as it changes what to do next. */
export type SourceErrorCode = "bad_request" | "unauthorized" | "forbidden" | "not_found" | "rate_limited" | "unavailable" | "internal";

/**
 * An expected failure of a {@link ContextSource}, in words that a model and its user may read.
 *
 * @example
 * throw new SourceError("rate_limited", "More than 60 searches in this minute.", { retryAfterSeconds: 20 });
 */
export class SourceError extends Error {
  override readonly name = "SourceError";
  /** What kind of failure it is. */
  readonly code: SourceErrorCode;
  /** What a model is told to do next, where that differs from what its `code` stands for. */
  readonly nextStep: string | undefined;
  /** Seconds after which the same call can succeed, where that is known. */
  readonly retryAfterSeconds: number | undefined;
  /** Identifier of the failed request, for the operator. */
  readonly requestId: string | undefined;

  /** @param message a sentence that names what is wrong; never with the key */
  constructor(
    code: SourceErrorCode,
    message: string,
    more: { nextStep?: string; retryAfterSeconds?: number; requestId?: string; cause?: unknown } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.code = code;
    this.nextStep = more.nextStep;
    this.retryAfterSeconds = more.retryAfterSeconds;
    this.requestId = more.requestId;
  }
}
