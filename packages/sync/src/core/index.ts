export type { ConnectionCheck } from "./connection.js";
export type { DeadLetter, DeadLetters } from "./dead-letters.js";
export type { EnqueueOptions } from "./enqueue.js";
export { idbStore, type IdbStoreOptions } from "./idb-store.js";
export type { FilterVerdict, MessageKind, MessageFilter, NewMessage } from "./message.js";
export type { BatchLimits, Clock, Limits, Locks, QueueOptions, Setting, QueueStep } from "./options.js";
export type {
  BlockReason,
  DropReason,
  Enqueued,
  ErrorCode,
  FlushEnd,
  FlushReport,
  QueueReason,
  QueueStatus,
  Settled,
  SyncEvent,
  Trouble,
  DropCounts,
} from "./outcomes.js";
export { privacyFilter } from "./privacy-filter.js";
export { createQueue, type SyncQueue } from "./queue.js";
export type { IndexName, Listing, Store, StoreTransaction, TableName, WriteOptions } from "./store.js";
