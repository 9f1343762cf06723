import type { PrivacyLevel } from "@periscope/schemas";
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
  config?: { json: string; at: number };
}

export interface ExtensionErrorRecord {
  extensionId: string;
  code: string;
  message: string;
  /** JSON, or null. */
  details: string | null;
  occurredAt: number;
}

/** A context as it is written. */
export interface WrittenContext extends StoredContext {
  /** Its place in the search index; when it is missing, the store finds it later. */
  search?: SearchDocument;
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
  /** Version of the user's privacy rules; 0 without any. */
  rulesVersion(): Promise<number>;
  write(changes: SyncChanges, now: number): Promise<void>;
}

/** Writes of synced messages. */
export interface SyncStore {
  /**
   * Runs `work` in a transaction; durable when the promise resolves, without a trace when it rejects.
   * `work` may run more than once, so it must have no effect but through the transaction.
   */
  transact<T>(userId: string, work: (transaction: SyncTransaction) => Promise<T>): Promise<T>;
}
