import type { ExtensionErrorRecord, MessageKey, ProcessedMessage, StoredContext } from "../contexts/context.store.js";
import type { Filtered } from "../privacy/privacy-filter.js";
import type { RulesVersion } from "../privacy/rules.store.js";
import type { RefilterCounts } from "./refilter-context.js";

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

/** The parts of a user's stored data, with the rows of each. */
export interface StoredParts {
  contexts: StoredContext;
  configs: StoredConfig;
  errors: StoredError;
  fingerprints: StoredFingerprint;
}

/** What rows of a part are sorted by. */
export interface PartKeys {
  contexts: Pick<StoredContext, "contextId">;
  configs: Pick<StoredConfig, "extensionId">;
  errors: Pick<StoredError, "seq">;
  fingerprints: MessageKey;
}

/** Asks for the next rows of a part. */
export interface PageQuery<Part extends keyof StoredParts = keyof StoredParts> {
  part: Part;
  after: PartKeys[Part];
  limit: number;
}

/** A page of one user's stored data. What changes while it is read is found out by a commit of what was worked out from it. */
export interface RefilterPage<Part extends keyof StoredParts = keyof StoredParts> {
  /** As in `UserState`. */
  revision: number;
  /** As in `UserState`. */
  rulesVersion: RulesVersion | null;
  /** null before the first run, and when it was dropped. */
  progress: RefilterProgress | null;
  rows: ReadonlyArray<StoredParts[Part]>;
}

/** What filtering a page again changes beside contexts. */
export interface Refiltered {
  configs: readonly StoredConfig[];
  errors: readonly StoredError[];
  fingerprints: readonly StoredFingerprint[];
  /** The progress to store; null leaves the stored one alone. */
  progress: RefilterProgress | null;
}

/** Stored data that is filtered again. `UserDataStore` writes what changes. */
export interface RefilterStore {
  /** Contexts of the user past an id. */
  countContexts(userId: string, pastContextId: string): Promise<number>;
  /** Without a query there are no rows. null when there is no such user. */
  read<Part extends keyof StoredParts>(userId: string, query?: PageQuery<Part>): Promise<RefilterPage<Part> | null>;
}
