import type { ContextType, DeleteWhere, PrivacyLevel } from "@periscope/schemas";

/** A point in time: a `Date`, or ISO 8601 with an offset, such as `2026-01-31T12:34:56Z`. */
export type Time = Date | string;

/** Which part of a long content to answer, for readers with little room. */
export interface ContentWindow {
  /** Most characters (UTF-16 units) of content, 1 to 1,048,576. When there is more, the context has `nextContentCursor`. */
  maxChars?: number | undefined;
  /** The `nextContentCursor` of the part before. */
  contentCursor?: string | undefined;
}

/** What `current` asks for. */
export interface CurrentQuery extends ContentWindow {
  /** Only contexts of this tab count. */
  tabId?: string | undefined;
  /** Only contexts of this installation of the extension count, such as one of several devices. */
  extensionId?: string | undefined;
}

/** What `history` asks for. */
export interface HistoryQuery {
  /** Items on a page, 1 to 200. The service takes 50 when it is not given. */
  limit?: number | undefined;
  /** Items to leave out at the start. Pages after the first follow a cursor, which is stable while contexts come and go. */
  offset?: number | undefined;
  /** The `nextCursor` of an earlier page, to go on from there. */
  cursor?: string | undefined;
  /** Captured at this time or later. */
  since?: Time | undefined;
  /** Captured before this time. */
  until?: Time | undefined;
  /** Of this type alone. */
  type?: ContextType | undefined;
  /** Of this privacy level alone. */
  privacyLevel?: PrivacyLevel | undefined;
}

/** What `search` asks for; one of `query` and `urlPattern` is needed. */
export interface SearchQuery {
  /** Words, `"quoted phrases"`, `-without`, `OR`. One or two words must all match. With three or more, a result has at least one of the rarer words, and those that match best come first. */
  query?: string | undefined;
  /** Part of the address, whatever its case; with `*`, a pattern for the whole address. */
  urlPattern?: string | undefined;
  /** Of this type alone. */
  type?: ContextType | undefined;
  /** Of this privacy level alone. */
  privacyLevel?: PrivacyLevel | undefined;
  /** Captured at this time or later. */
  startTime?: Time | undefined;
  /** Captured before this time. */
  endTime?: Time | undefined;
  /** Results on a page, 1 to 1,000. The service takes 20 when it is not given. */
  limit?: number | undefined;
  /** Results to leave out at the start. */
  offset?: number | undefined;
}

/** What `data.export` asks for. */
export interface ExportQuery {
  /** Captured at this time or later. */
  since?: Time | undefined;
  /** Captured before this time. */
  until?: Time | undefined;
  /** Only contexts of this type. */
  type?: ContextType | undefined;
  /** Goes on behind this context: its `timestamp` and `contextId`, with a comma between. */
  after?: string | undefined;
}

/** Conditions on contexts; at least one. A context must meet all of them. */
export interface DeleteConditions extends Omit<DeleteWhere, "startTime" | "endTime"> {
  /** Captured at this time or later. */
  startTime?: Time | undefined;
  /** Captured before this time. */
  endTime?: Time | undefined;
}
