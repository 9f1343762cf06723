import type { ErrorCode, QueueReason, QueueStatus } from "./outcomes.js";
import { type PartitionState, readState } from "./partition-state.js";
import { heldTo, leftOf, readHead } from "./rows.js";
import type { StoreTransaction } from "./store.js";

/** Why a flush could not go on, and until when that holds. */
export interface Fault {
  error: string;
  code: ErrorCode;
  until: number;
}

/** What the queue knows beside its store. */
export interface Circumstances {
  now: number;
  isPaused: boolean;
  isSending: boolean;
  /** Of the last flush of the partition, if it failed. */
  fault: Fault | undefined;
}

/** Rows that are looked at together. */
const page = 200;

/** The state of a partition's messages in the terms of its host; undefined stands for that of nobody. */
export async function readStatus(tx: StoreTransaction, partition: string | undefined, circumstances: Circumstances): Promise<QueueStatus> {
  const { now, fault } = circumstances;
  const state = await readState(tx, partition ?? "");
  const oldest = partition === undefined ? [] : await tx.list("heads", { index: "bySeq", prefix: [partition], limit: 1 });
  const left = state.block === undefined ? 0 : leftOf(heldTo(state.block, now), now);
  // What the store could not write down is not in it.
  const until = left > 0 ? now + left : partition === undefined ? undefined : (fault?.until ?? (await restUntil(tx, partition, now)));
  return {
    waiting: state.waiting,
    bytes: state.bytes,
    oldestAt: readHead(oldest[0])?.queuedAt ?? null,
    deadLetters: state.dead,
    blockedUntil: until !== undefined && until > now ? until : null,
    reason: reasonOf(state, { ...circumstances, hasLeft: left > 0, isResting: until !== undefined }),
    lastError: fault?.error ?? state.lastError ?? null,
    lastErrorCode: (fault ?? { code: state.lastErrorCode }).code ?? null,
    dropped: state.tallies,
  };
}

interface Seen extends Circumstances {
  hasLeft: boolean;
  isResting: boolean;
}

function reasonOf({ waiting, block }: PartitionState, { isPaused, isSending, hasLeft, isResting }: Seen): QueueReason {
  if (isPaused) return "paused";
  if (isSending) return "sending";
  // When its time is over it is not yet known to be: only an answer tells.
  if (block !== undefined && (hasLeft || waiting > 0)) return reasons[block.cause];
  return isResting && waiting > 0 ? "backing-off" : "idle";
}

const reasons = { "rate-limit": "rate-limited", backoff: "backing-off", auth: "auth" } as const;

/** When the first message may be sent again, if each one waits for itself; undefined when one of them may be sent now. */
async function restUntil(tx: StoreTransaction, partition: string, now: number): Promise<number | undefined> {
  let first: number | undefined;
  let after: number | undefined;
  for (;;) {
    const limit = after === undefined ? 1 : page;
    const rows = await tx.list("heads", {
      index: "bySeq",
      prefix: [partition],
      limit,
      ...(after !== undefined && { after: [partition, after] }),
    });
    for (const row of rows) {
      const head = readHead(row);
      const left = leftOf(head?.wait, now);
      // One that only waits for its site's turn is not hindered.
      if (head === undefined || left === 0 || head.attempts === 0) return undefined;
      first = Math.min(first ?? Infinity, now + left);
      after = head.seq;
    }
    if (rows.length < limit) return first;
  }
}
