import type { ContextType } from "@periscope/schemas";

/** Which part of a context's content to answer. */
export interface ContextQuery {
  /** Most characters (UTF-16 units) of content. */
  maxChars: number;
  /** The `nextContentCursor` of the part before. */
  contentCursor?: string | undefined;
}

/** Which contexts to list, newest first. */
export interface HistoryQuery {
  /** Most items of a page. */
  limit: number;
  /** The `nextCursor` of an earlier page. */
  cursor?: string | undefined;
  /** Captured at this time or later; ISO 8601. */
  since?: string | undefined;
  /** Captured before this time. */
  until?: string | undefined;
  /** Of this type alone. */
  type?: ContextType | undefined;
}

/** Which contexts to find, best first. */
export interface SearchQuery {
  /** Words, `"quoted phrases"`, `-without`, `OR`. */
  query?: string | undefined;
  /** Part of the address; with `*`, a pattern for the whole of it. */
  urlPattern?: string | undefined;
  /** Of this type alone. */
  type?: ContextType | undefined;
  /** Captured at this time or later; ISO 8601. */
  startTime?: string | undefined;
  /** Captured before this time. */
  endTime?: string | undefined;
  /** Most items of a page. */
  limit: number;
  /** Items to leave out at the start. */
  offset: number;
}
