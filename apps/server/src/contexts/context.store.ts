import type { ContentFormat, ContextType, Metadata, PrivacyLevel, TabMetadata } from "@periscope/schemas";
import type { ReadScope } from "../access/scope.js";
import type { Filtered } from "../privacy/privacy-filter.js";

/** A context as it is stored. Times are milliseconds since the epoch. */
export interface StoredContext {
  userId: string;
  contextId: string;
  type: ContextType;
  tabId: string;
  extensionId: string;
  capturedAt: number;
  /** Effective level: what the filter applied. */
  privacyLevel: PrivacyLevel;
  /** Timestamp of the message that wrote it last; the newer message wins. */
  writtenAt: number;
  /** When the person last looked at it; null for a page that was captured in the background and never viewed. */
  viewedAt: number | null;
  /** Time of the last heartbeat. */
  lastSeenAt: number | null;
  contentFormat: ContentFormat;
  url: Filtered<string>;
  title: Filtered<string>;
  tabMetadata: Filtered<TabMetadata>;
  metadata: Filtered<Metadata>;
  content: Filtered<string>;
  /** Text of HTML, markdown and form content as it is searched; null where the content is plain already. */
  plainText: Filtered<string> | null;
}

/** A row of history. */
export interface ContextSummary extends Pick<StoredContext, "contextId" | "type" | "capturedAt" | "privacyLevel"> {
  url: string;
  title: string;
}

export interface CurrentFilter {
  tabId?: string | undefined;
  extensionId?: string | undefined;
}

/** Place in history after which a page starts. */
export interface HistoryPosition {
  capturedAt: number;
  contextId: string;
}

export interface HistoryFilter {
  limit: number;
  offset: number;
  after?: HistoryPosition | undefined;
  /** The total as counted for an earlier page; when given, nothing is counted again. */
  knownTotal?: number | undefined;
  /** Inclusive. */
  since?: number | undefined;
  /** Exclusive. */
  until?: number | undefined;
  type?: ContextType | undefined;
  privacyLevel?: PrivacyLevel | undefined;
}

/** Reads of contexts, and removal of one. Every method names the user. */
export interface ContextStore {
  /** The context that was viewed last, then the one that arrived last; where nothing was viewed, the newest by capture time. */
  current(scope: ReadScope, filter: CurrentFilter): Promise<StoredContext | null>;
  find(scope: ReadScope, contextId: string): Promise<StoredContext | null>;
  /** By capture time descending, then context id ascending; `total` counts the filter's matches, wherever the page starts. */
  history(scope: ReadScope, filter: HistoryFilter): Promise<{ contexts: ContextSummary[]; total: number }>;
  /** Removes for ever and leaves a tombstone; `foreign` when only other users have a context of that id. */
  remove(userId: string, contextId: string, at: number): Promise<"removed" | "missing" | "foreign">;
}
