import type { StoredContext } from "../contexts/context.store.js";
import type { ExtensionErrorRecord, MessageKey, ProcessedMessage, WrittenContext } from "../contexts/sync.store.js";
import type { ApplyCounts } from "./apply-counts.js";
import type { Filtered } from "../privacy/privacy-filter.js";
import type { RulesEdition } from "../privacy/rules.store.js";

/**
 * How far what is stored of a user has been filtered again under a policy. It is forgotten when anything is written under another
 * one: so while it is there, all that it tells of has passed this policy.
 */
export interface ApplyProgress {
  /** Names policy and filter. */
  policy: string;
  /** Another one each time that it begins anew. */
  run: string;
  /** Arrival number of the last context that was looked at; 0 before the first. */
  seq: number;
  /** What has been done so far. */
  counts: ApplyCounts;
  /** Milliseconds since the epoch; null while something is left to do. */
  finishedAt: number | null;
}

/** Settings of an extension instance. */
export interface StoredConfig {
  extensionId: string;
  /** JSON object. */
  config: Filtered<string>;
}

/** An extension's error, with its place in the order of arrival. */
export type StoredError = Pick<ExtensionErrorRecord, "code" | "message" | "details"> & { seq: number };

/** The record that recognises a replay. */
export type StoredFingerprint = MessageKey & Pick<ProcessedMessage, "fingerprint">;

/** What is stored of one user, to be gone through in pages. */
export interface ApplyRows {
  /** Which privacy rules the user has; null without any. */
  rulesEdition(): Promise<RulesEdition | null>;
  /** null before the first run, and when it was forgotten. */
  progress(): Promise<ApplyProgress | null>;
  /** Arrival numbers of the contexts that arrived later than `after`, rising. */
  arrivals(after: number): Promise<number[]>;
  /** null when it is gone. */
  context(seq: number): Promise<StoredContext | null>;
  /** By extension id, from the first one past `after`. */
  configs(after: string, limit: number): Promise<StoredConfig[]>;
  /** By arrival, from the first one past `after`. */
  errors(after: number, limit: number): Promise<StoredError[]>;
  /** By extension and message id, from the first one past `after`. */
  fingerprints(after: MessageKey, limit: number): Promise<StoredFingerprint[]>;
}

/** One user's rows in a transaction that no other writer can interleave with. */
export interface ApplyTransaction extends ApplyRows {
  /** Writes what the filter decides on: text, metadata, level, and the place in the search index. Times, ids and arrival stay as they are. */
  replaceContext(seq: number, context: WrittenContext): Promise<void>;
  /** Removes for ever and leaves a tombstone. */
  removeContext(contextId: string, at: number): Promise<void>;
  replaceConfig(config: StoredConfig): Promise<void>;
  replaceError(error: StoredError): Promise<void>;
  replaceFingerprint(fingerprint: StoredFingerprint): Promise<void>;
  /** Without effect when the user is gone. */
  saveProgress(progress: ApplyProgress, at: number): Promise<void>;
  /** Forgets the progress unless it is under this policy. */
  forgetProgress(policy: string): Promise<void>;
}

/** What is stored, to be filtered again. */
export interface ApplyStore {
  /** Reads as of now; nothing is locked. */
  rows(userId: string): ApplyRows;
  /**
   * Runs `work` in a transaction; durable when the promise resolves, without a trace when it rejects.
   * `work` may run more than once, so it must have no effect but through the transaction.
   */
  transact<T>(userId: string, work: (transaction: ApplyTransaction) => Promise<T>): Promise<T>;
  /** Sees to it that text which was removed is in no file of the database any more. Throws `unavailable` when others keep it in use. */
  scrub(): Promise<void>;
}
