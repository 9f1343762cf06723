import type { PrivacyLevel } from "@periscope/schemas";
import type { Filtered } from "../privacy/privacy-filter.js";
import type { RulesEdition } from "../privacy/rules.store.js";
import type { SearchDocument } from "../search/search-document.js";
import type { StoredContext } from "./context.store.js";

/** Names a message for idempotency, within a user. */
export interface MessageKey {
  extensionId: string;
  messageId: string;
}

/** Outcome of a message that took effect, kept for replays. */
export interface ProcessedMessage extends MessageKey {
  /** What makes it the same message when it is sent again; of the text as filtered at `privacyLevel`. */
  fingerprint: string;
  privacyLevel: PrivacyLevel;
  /** JSON of the result that was answered. */
  result: string;
  processedAt: number;
}

/** State of an extension instance after its messages. A missing `config` leaves the stored one. */
export interface ExtensionState {
  extensionId: string;
  lastSeenAt: number;
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

/** A context as it is written. */
export interface WrittenContext extends StoredContext {
  /** Its place in the search index; when it is missing, the store finds it later. */
  search?: Filtered<SearchDocument>;
}

/** Everything that one request changes; written whole or not at all. */
export interface SyncChanges {
  created: WrittenContext[];
  replaced: WrittenContext[];
  /** Context ids and when they were deleted. Each leaves a tombstone, whether or not there was a row. */
  removed: Array<{ contextId: string; deletedAt: number }>;
  /** Context ids that live again after a delete. */
  revived: string[];
  viewed: Array<{ contextId: string; lastSeenAt: number }>;
  processed: ProcessedMessage[];
  extensions: ExtensionState[];
  errors: ExtensionErrorRecord[];
}

/** One user's data inside a transaction that no other writer of that user can interleave with. */
export interface SyncTransaction {
  processed(keys: readonly MessageKey[]): Promise<ProcessedMessage[]>;
  contexts(contextIds: readonly string[]): Promise<StoredContext[]>;
  /** When each of these was deleted, for those that have a tombstone. */
  tombstones(contextIds: readonly string[]): Promise<Map<string, number>>;
  /** Which privacy rules the user has; null without any. */
  rulesEdition(): Promise<RulesEdition | null>;
  /** `policy` names what the changes were filtered under: how far what is stored was filtered again under another one is forgotten. */
  write(changes: SyncChanges, now: number, policy: string): Promise<void>;
}

/** Writes of synced messages. */
export interface SyncStore {
  /**
   * Runs `work` in a transaction; durable when the promise resolves, without a trace when it rejects.
   * `work` may run more than once, so it must have no effect but through the transaction.
   */
  transact<T>(userId: string, work: (transaction: SyncTransaction) => Promise<T>): Promise<T>;
}
