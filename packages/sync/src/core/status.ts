import type { ErrorCode, QueueReason, QueueStatus } from "./outcomes.js";
import { type AccountState, leftOf, readHead, readState } from "./rows.js";
import { rowsOf, type StoreTransaction } from "./store.js";

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
  /** Of the last flush of the account, if it failed. */
  fault: Fault | undefined;
}

/** The state of an account's messages in the terms of its host; undefined stands for that of nobody. */
export async function readStatus(tx: StoreTransaction, account: string | undefined, circumstances: Circumstances): Promise<QueueStatus> {
  const { now, fault } = circumstances;
  const state = await readState(tx, account ?? "");
  const oldest = account === undefined ? [] : await tx.list("heads", { index: "bySeq", prefix: [account], limit: 1 });
  const left = leftOf(state.block, now);
  // What the store could not write down is not in it.
  const until = left > 0 ? now + left : account === undefined ? undefined : (fault?.until ?? (await restUntil(tx, account, now)));
  return {
    waiting: state.waiting,
    bytes: state.bytes,
    oldestAt: readHead(oldest[0])?.queuedAt ?? null,
    deadLetters: state.dead,
    blockedUntil: until !== undefined && until > now ? until : null,
    reason: reasonOf(state, { ...circumstances, hasLeft: left > 0, isResting: until !== undefined }),
    lastError: fault?.error ?? state.lastError ?? null,
    lastErrorCode: fault?.code ?? state.lastErrorCode ?? null,
    dropped: state.tallies,
  };
}

interface Seen extends Circumstances {
  hasLeft: boolean;
  isResting: boolean;
}

function reasonOf({ waiting, block }: AccountState, { isPaused, isSending, hasLeft, isResting }: Seen): QueueReason {
  if (isPaused) return "paused";
  if (isSending) return "sending";
  // When its time is over it is not yet known to be: only an answer tells.
  if (block !== undefined && (hasLeft || waiting > 0)) return reasons[block.cause];
  return isResting && waiting > 0 ? "backing-off" : "idle";
}

const reasons = { "rate-limit": "rate-limited", backoff: "backing-off", auth: "auth" } as const;

/** When the first message may be sent again, if each one waits for itself; undefined when one of them may be sent now. */
async function restUntil(tx: StoreTransaction, account: string, now: number): Promise<number | undefined> {
  let first: number | undefined;
  for await (const row of rowsOf(tx, "heads", account)) {
    const head = readHead(row);
    const left = leftOf(head?.wait, now);
    // One that only waits for its site's turn is not hindered.
    if (head === undefined || left === 0 || head.attempts === 0) return undefined;
    first = Math.min(first ?? Infinity, now + left);
  }
  return first;
}
