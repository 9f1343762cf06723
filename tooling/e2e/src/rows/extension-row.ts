import type { Audit } from "../harness/ledger.ts";
import type { StoredContext } from "../harness/oracle.ts";
import type { SyncStage } from "../harness/sync-stage.ts";

/** A row that takes the listeners of an extension, or content scripts. */
export interface ExtensionRow {
  fault: string;
  injected: string;
  run(stage: SyncStage): Promise<Audit>;
}

/** Returns a function that reads the contexts of the site that were stored after this call, in order of arrival. */
export function contextsSince({ oracle, site }: SyncStage): () => StoredContext[] {
  const before = new Set(oracle.contexts().map(({ contextId }) => contextId));
  return () => oracle.contexts().filter(({ url, contextId }) => url.startsWith(site.origin) && !before.has(contextId));
}

/** The audit of a row that has compared all that is stored with all that should be. */
export const stored = (messages: number): Audit => ({ messages, losses: 0, duplicates: 0 });
