import type { ErrorCode } from "./outcomes.js";
import type { StoreTransaction } from "./store.js";
import type { Wait } from "./rows.js";

/** Why a message will not reach the service. `rejected-by-server`: a refusal that is not kept as a dead letter. */
export type DropReason = "full" | "too-large" | "expired" | "storage-failed" | "rejected-by-server" | "no-account";

/** What was not delivered, counted. `blocked`: what the privacy filter did not let through. */
export type Tallies = Partial<Record<DropReason | "blocked" | "corrupt", number>>;

/** Why nothing is sent for a while. */
export type BlockCause = "rate-limit" | "backoff" | "auth";

/** What is known of a partition: its counts, and all that must outlive the process. */
export interface PartitionState {
  waiting: number;
  bytes: number;
  dead: number;
  /** Failures in a row. */
  failures: number;
  /** Requests in a row that met the rate limit. */
  limited: number;
  block?: Wait & { cause: BlockCause };
  /** Of the token that was refused. */
  refused?: string;
  /** Messages and bytes that go into a request at most; absent while the service has refused none. */
  narrowed?: { items: number; bytes: number };
  /** Requests in a row that were answered well. */
  good: number;
  /** In plain words. */
  lastError?: string;
  lastErrorCode?: ErrorCode;
  tallies: Tallies;
  /** What of the tallies the service has not been told. */
  untold: Tallies;
  /** When it was told last. */
  toldAt?: number;
}

const fresh = (): PartitionState => ({ waiting: 0, bytes: 0, dead: 0, failures: 0, limited: 0, good: 0, tallies: {}, untold: {} });

/** The state of a partition; of one that is new or whose record is damaged, one that knows nothing. */
export async function readState(tx: StoreTransaction, partition: string): Promise<PartitionState> {
  const found = (await tx.get("state", partition)) as Partial<PartitionState> | undefined;
  if (found === undefined) return fresh();
  const isWhole =
    [found.waiting, found.bytes, found.dead, found.failures, found.limited, found.good].every(Number.isFinite) &&
    typeof found.tallies === "object" &&
    typeof found.untold === "object";
  return isWhole ? (found as PartitionState) : { ...fresh(), ...(await countRows(tx, partition)) };
}

/** Waiting and dead rows as the tables have them, for when the counts cannot be believed. */
export async function countRows(tx: StoreTransaction, partition: string): Promise<Pick<PartitionState, "waiting" | "bytes" | "dead">> {
  const heads = (await tx.list("heads", { index: "bySeq", prefix: [partition] })) as Array<{ bytes?: unknown }>;
  const dead = await tx.list("dead", { index: "bySeq", prefix: [partition] });
  const bytes = heads.reduce((sum, head) => sum + (typeof head.bytes === "number" ? head.bytes : 0), 0);
  return { waiting: heads.length, bytes, dead: dead.length };
}

/** Counts what is lost, for `status` and for the next report to the service. */
export function tally(state: PartitionState, lost: Tallies): void {
  for (const [reason, count] of Object.entries(lost) as [keyof Tallies, number][]) {
    state.tallies[reason] = (state.tallies[reason] ?? 0) + count;
    state.untold[reason] = (state.untold[reason] ?? 0) + count;
  }
}
