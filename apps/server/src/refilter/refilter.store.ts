import type { MessageKey, StoredContext } from "../contexts/context.store.js";
import type { RefilterProgress, StoredConfig, StoredError, StoredFingerprint } from "../contexts/refiltered.js";
import type { RulesVersion } from "../privacy/rules.store.js";

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

export interface PageQuery<Part extends keyof StoredParts = keyof StoredParts> {
  part: Part;
  after: PartKeys[Part];
  limit: number;
}

/** A page of one user's stored data. What changes while it is read is found out by a commit of what was worked out from it. */
export interface RefilterPage<Part extends keyof StoredParts = keyof StoredParts> {
  revision: number;
  rulesVersion: RulesVersion | null;
  /** null before the first run, and when it was dropped. */
  progress: RefilterProgress | null;
  rows: ReadonlyArray<StoredParts[Part]>;
}

/** Stored data that is filtered again. `UserDataStore` writes what changes. */
export interface RefilterStore {
  countContexts(userId: string, pastContextId: string): Promise<number>;
  /** Without a query there are no rows. null when there is no such user. */
  read<Part extends keyof StoredParts>(userId: string, query?: PageQuery<Part>): Promise<RefilterPage<Part> | null>;
}
