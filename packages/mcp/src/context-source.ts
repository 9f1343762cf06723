import type { Context, HistoryItem, SearchHit } from "@periscope/schemas";
import type { ContextQuery, HistoryQuery, SearchQuery } from "./queries.js";

/** A page of history. */
export interface HistoryAnswer {
  items: readonly HistoryItem[];
  total: number;
  nextCursor?: string | undefined;
}

/** A page of search results, from the offset that was asked for. */
export interface SearchAnswer {
  items: readonly SearchHit[];
  total: number;
  /** False past 10,000 matches. */
  totalIsExact: boolean;
  /** What was searched instead, when the query looked mistyped. */
  correctedQuery?: string | undefined;
}

/** How a call ends early. */
export interface SourceOptions {
  signal?: AbortSignal | undefined;
}

/**
 * Where the tools get contexts from: the service over HTTP, or its own procedures. Every method may reject with {@link SourceError};
 * of any other error nothing is told to the model.
 */
export interface ContextSource {
  /** The newest context; null when there is none yet. */
  current(query: ContextQuery, options: SourceOptions): Promise<Context | null>;
  history(query: HistoryQuery, options: SourceOptions): Promise<HistoryAnswer>;
  search(query: SearchQuery, options: SourceOptions): Promise<SearchAnswer>;
  get(contextId: string, query: ContextQuery, options: SourceOptions): Promise<Context>;
  /** False when there was no such context. */
  delete(contextId: string, options: SourceOptions): Promise<boolean>;
}

/** What went wrong, as far as it changes what to do next. */
export type SourceErrorCode = "bad_request" | "unauthorized" | "forbidden" | "not_found" | "rate_limited" | "unavailable" | "internal";

/** An expected failure of a {@link ContextSource}, in words that a model and its user may read. */
export class SourceError extends Error {
  override readonly name = "SourceError";
  readonly code: SourceErrorCode;
  /** Seconds after which the same call can succeed, where that is known. */
  readonly retryAfterSeconds: number | undefined;
  /** Identifier of the failed request, for the operator. */
  readonly requestId: string | undefined;

  /** @param message a sentence that names what is wrong; never with the key */
  constructor(code: SourceErrorCode, message: string, more: { retryAfterSeconds?: number; requestId?: string; cause?: unknown } = {}) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.code = code;
    this.retryAfterSeconds = more.retryAfterSeconds;
    this.requestId = more.requestId;
  }
}
