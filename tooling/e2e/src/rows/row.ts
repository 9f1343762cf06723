import type { Audit } from "../harness/ledger.ts";
import type { StoredContext } from "../harness/oracle.ts";
import type { ClientOptions, QueueClient } from "../harness/queue-client.ts";
import type { Stage, SyncStage } from "../harness/stage.ts";

/** A row of the fault matrix. */
export interface Row {
  /** Its number in the matrix, `F1` to `F29`. */
  fault: string;
  /** What is done to the queue. */
  injected: string;
  /** A mistake in the queue that this row finds. */
  mutation?: string;
  /** Does it, and checks what must hold; resolves to what was counted. */
  run(play: Play): Promise<Audit>;
}

/** Where a row plays. */
export interface Play {
  stage: Stage;
  /** A queue of its own. */
  client(options?: Partial<ClientOptions>): QueueClient;
}

/** A row that takes the listeners of an extension, or content scripts. */
export interface ExtensionRow {
  fault: string;
  injected: string;
  run(stage: SyncStage): Promise<Audit>;
}

/** Whether this is `pnpm test:deep`. */
export const isDeep = process.env["TEST_DEEP"] === "1";

/** CI runs a fifth of what takes hundreds of kills or thousands of messages; `pnpm test:deep` runs all of them. */
export const sampleOf = (all: number): number => (isDeep ? all : Math.ceil(all / 5));

/** Returns a function that reads the contexts of the site that were stored after this call, in order of arrival. */
export function contextsSince({ oracle, site }: SyncStage): () => StoredContext[] {
  const before = new Set(oracle.contexts().map(({ contextId }) => contextId));
  return () => oracle.contexts().filter(({ url, contextId }) => url.startsWith(site.origin) && !before.has(contextId));
}

/** The audit of a row that has compared all that is stored with all that should be. */
export const stored = (messages: number): Audit => ({ messages, losses: 0, duplicates: 0 });
