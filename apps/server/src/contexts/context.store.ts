import type { ContentFormat, ContextType, Metadata, PrivacyLevel, TabMetadata } from "@periscope/schemas";
import type { ReadBounds } from "../access/access.store.js";
import type { Filtered } from "../privacy/privacy-filter.js";
import type { RulesVersion } from "../privacy/rules.store.js";
import type { Refiltered } from "./refiltered.js";
import type { SearchDocument } from "../search/search-document.js";

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
  /** Why the filter chose the level, such as `category:banking`; empty where it is the one that was asked for. */
  levelReasons: readonly string[];
  content: Filtered<string>;
  /** Text of HTML, markdown and form content as it is searched; null where it is made from the content when it is needed. */
  plainText: Filtered<string> | null;
}

/** A context without its text. */
export interface ContextHead {
  /** Its content and plain text are left empty. */
  context: StoredContext;
  /** Bytes of the content in UTF-8. */
  contentLength: number;
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
  extensionId?: string | undefined;
}

/** Length of the slots in which captures are counted: all time zones begin their days at the start of one. */
export const captureSlotMs = 900_000;

/** How many contexts of a kind were captured in a slot of time. */
export interface CaptureCount {
  /** Start of the slot, in milliseconds since the epoch. */
  at: number;
  type: ContextType;
  count: number;
}

/** That a key has read the content of a context, at a time in milliseconds since the epoch. */
export interface ContextRead {
  contextId: string;
  keyId: string;
  at: number;
}

/** Reads of contexts. Every method names the user. */
export interface ContextStore {
  /** The context that was viewed last, then the one that arrived last; where nothing was viewed, the newest by capture time. */
  current(scope: ReadBounds, filter: CurrentFilter): Promise<StoredContext | null>;
  /** The same context, without its text. */
  currentHead(scope: ReadBounds, filter: CurrentFilter): Promise<ContextHead | null>;
  find(scope: ReadBounds, contextId: string): Promise<StoredContext | null>;
  /** Those of the contexts that are there, without their text, whatever their level; by id. */
  heads(userId: string, contextIds: readonly string[]): Promise<Map<string, ContextHead>>;
  /** By capture time descending, then context id ascending; `total` counts the filter's matches, wherever the page starts. */
  history(scope: ReadBounds, filter: HistoryFilter): Promise<{ contexts: ContextSummary[]; total: number }>;
  /** How many were captured when, of those that the filter means, by slot and kind; slots without any are left out. */
  captures(scope: ReadBounds, filter: Omit<HistoryFilter, "limit" | "offset" | "after" | "knownTotal">): Promise<CaptureCount[]>;
  /** Stores reads in the place of older ones. Those of contexts that are gone are dropped. */
  noteReads(userId: string, reads: readonly ContextRead[]): Promise<void>;
  lastRead(userId: string, contextId: string): Promise<Pick<ContextRead, "keyId" | "at"> | null>;
  isOfAnother(userId: string, contextId: string): Promise<boolean>;
}

/** Names a message for idempotency, within a user. */
export interface MessageKey {
  extensionId: string;
  messageId: string;
}

/** The outcome of a message that took effect, kept for replays. */
export interface ProcessedMessage extends MessageKey {
  /** Recognises the same message when it is sent again; made from the text as filtered at `privacyLevel`. */
  fingerprint: string;
  privacyLevel: PrivacyLevel;
  result: string;
  processedAt: number;
}

/** State of an extension instance after its messages. A missing `config` leaves the stored one. */
export interface ExtensionState {
  extensionId: string;
  lastSeenAt: number;
  /** The key that the message came with; a missing one leaves the stored one. */
  keyId?: string;
  config?: { json: Filtered<string>; at: number };
}

export interface ExtensionErrorRecord {
  extensionId: string;
  code: Filtered<string>;
  message: Filtered<string>;
  /** JSON, or null. */
  details: Filtered<string> | null;
  occurredAt: number;
}

/** A context as it is written, with its entry in the search index. */
export interface WrittenContext extends StoredContext {
  search: Filtered<SearchDocument>;
}

export interface ReplacedContext extends StoredContext {
  /** null: its entry in the search index stays as it is. */
  search: Filtered<SearchDocument> | null;
}

/** What messages may touch. */
export interface WantedRows {
  messages: readonly MessageKey[];
  contextIds: readonly string[];
  /** Those of the contexts whose text is read. @default none */
  updatedIds?: readonly string[];
}

/** A user's rows that messages may touch, read at one moment. */
export interface UserState {
  /** Changes with every write to the user's data, rules among it; `commit` refuses changes that were made from an older one. */
  revision: number;
  /** null when the user has never set rules. */
  rulesVersion: RulesVersion | null;
  processed: ProcessedMessage[];
  contexts: StoredContext[];
  /** When each of these contexts was deleted, for those with a tombstone. */
  tombstones: ReadonlyMap<string, number>;
}

/** Everything that one part of a request changes for one user; written whole or not at all. */
export interface UserChanges {
  /** Of the state that these changes were made from. */
  revision: number;
  /** The server's clock, in milliseconds since the epoch. */
  now: number;
  /** Names the privacy policy that the changes were filtered under. Progress of `privacy apply` under another policy is dropped. */
  policy: string;
  created: readonly WrittenContext[];
  /** Contexts whose text, level, metadata, tab or capture time changed. They keep their place in the order of arrival. */
  replaced: readonly ReplacedContext[];
  /** Contexts of which only these times changed; the search index is left alone. */
  viewed: ReadonlyArray<Pick<StoredContext, "contextId" | "viewedAt" | "lastSeenAt">>;
  /** Contexts to remove. Each leaves a tombstone, whether or not there was a row. */
  removed: ReadonlyArray<{ contextId: string; deletedAt: number }>;
  /** Contexts that were created again after a delete: their tombstones go. */
  revived: readonly string[];
  processed: readonly ProcessedMessage[];
  extensions: readonly ExtensionState[];
  errors: readonly ExtensionErrorRecord[];
  /** Of data that is filtered again. */
  refiltered?: Refiltered;
}

/**
 * Reads and writes of one user's data, in two whole operations with optimistic locking: `load` what messages may touch, work out the
 * changes, `commit` them. Nothing expensive runs inside a transaction.
 */
export interface UserDataStore {
  /** null when there is no such user. Of contexts that are not among `updatedIds`, content and plain text are left empty. */
  load(userId: string, wanted: WantedRows): Promise<UserState | null>;
  /** Bytes of the content and plain text of contexts that a key may see, found without reading them. */
  textBytes(scope: ReadBounds, contextIds: readonly string[]): Promise<number>;
  /**
   * Writes all changes in one transaction, durable when the promise resolves. False, with nothing written, when the user's data has
   * changed since `revision`: load again and work the changes out again.
   */
  commit(userId: string, changes: UserChanges): Promise<boolean>;
}
