import type { ContextType } from "@periscope/schemas";

/** Which part of a context's content to answer. */
export interface ContextQuery {
  /** Most characters (UTF-16 units) of content. */
  maxChars: number;
  contentCursor?: string | undefined;
}

/** Which contexts to list, newest first. */
export interface HistoryQuery {
  limit: number;
  cursor?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
  type?: ContextType | undefined;
}

/** Which contexts to find, best first. */
export interface SearchQuery {
  query?: string | undefined;
  urlPattern?: string | undefined;
  type?: ContextType | undefined;
  startTime?: string | undefined;
  endTime?: string | undefined;
  limit: number;
  offset: number;
}
