import type { PrivacyLevel, RedactionCounts } from "@periscope/privacy";
import type { Filtered } from "../privacy/privacy-filter.js";
import type { MessageKey, ProcessedMessage } from "./context.store.js";
import type { ErrorReport } from "./filter-task.js";

/** What filtering again has changed. */
export interface RefilterCounts {
  /** Contexts that were checked: the sum of `unchanged`, `rewritten` and `removed`. */
  checked: number;
  unchanged: number;
  rewritten: number;
  /** Contexts that the policy does not capture, by the first reason, such as `blocked-site`. */
  removed: Record<string, number>;
  /** Rewritten contexts that have a higher level than before, by old level, then new level. */
  raised: Partial<Record<PrivacyLevel, Partial<Record<PrivacyLevel, number>>>>;
  /** What was removed from rewritten contexts, by kind. Parts that a level drops as a whole are not counted. */
  redactions: RedactionCounts;
  /** Rewritten contexts that could not be filtered and became `restricted`. */
  failedClosed: number;
  /** Extension instances whose settings were rewritten. */
  configs: number;
  /** Extension errors that were rewritten. */
  errors: number;
  /** Replay records that lost the hash of their message. */
  replayRecords: number;
}

/** How far one user's stored data has been filtered again under a policy. Dropped when anything is written under another policy. */
export interface RefilterProgress {
  /** Names policy and filter. */
  policy: string;
  /** A new one each time that the run starts from the beginning. */
  run: string;
  /** The last context that was checked, in the order of their ids; "" before the first. */
  checkedTo: string;
  counts: RefilterCounts;
  /** Milliseconds since the epoch; null while something is left to do. */
  finishedAt: number | null;
}

export interface StoredConfig {
  extensionId: string;
  /** JSON object. */
  config: Filtered<string>;
}

/** An extension's error, with its place in the order of arrival. */
export type StoredError = ErrorReport & { seq: number };

/** The record that recognises a replay. */
export type StoredFingerprint = MessageKey & Pick<ProcessedMessage, "fingerprint">;

/** What filtering a page of stored data again changes beside contexts. */
export interface Refiltered {
  configs: readonly StoredConfig[];
  errors: readonly StoredError[];
  fingerprints: readonly StoredFingerprint[];
  /** The progress to store; null leaves the stored one alone. */
  progress: RefilterProgress | null;
}
