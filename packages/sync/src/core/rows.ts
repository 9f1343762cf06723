import { kindOf, updateMergeKey } from "./message.js";

/** A wait that ends. Its length is kept beside its end: a clock that was set back must not make it longer. */
export interface Wait {
  /** Milliseconds since the epoch. */
  until: number;
  ms: number;
}

/** What is known of a waiting message without reading it. */
export interface Head {
  seq: number;
  account: string;
  id: string;
  contextId?: string;
  rank: number;
  /** Messages with equal keys replace each other while they are not sent. */
  mergeKey?: string;
  /** The site whose pages caused it. */
  site?: string;
  bytes: number;
  queuedAt: number;
  /** How often it was chosen to be sent. Once it was, it may have left this machine. */
  attempts: number;
  /** How often it was chosen since somebody last lived to tell what became of it. */
  starts: number;
  wait?: Wait;
}

/** A message that is not sent again unless somebody says so. */
export interface DeadHead extends Head {
  code: string;
  message: string;
  diedAt: number;
}

export const isCount = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value) && value >= 0;

/** Whether a row is a head, and not damaged or of another program. A new queue removes such rows, so that all others can be believed. */
export function isHead(row: unknown): row is Head {
  const { seq, account, id, rank, mergeKey, bytes, queuedAt, attempts, starts, wait } = row as Head;
  return (
    [seq, rank, bytes, attempts, starts].every(isCount) &&
    Number.isFinite(queuedAt) &&
    typeof account === "string" &&
    typeof id === "string" &&
    (mergeKey === undefined || typeof mergeKey === "string") &&
    (wait === undefined || (Number.isFinite(wait.until) && isCount(wait.ms)))
  );
}

/** What a message is known by. */
export type Named = Pick<Head, "id" | "rank"> & { [key in "contextId" | "mergeKey"]?: string | undefined };

/** Whether it changes a context that a message before it created. */
export const isFollowUp = ({ contextId, mergeKey }: Pick<Named, "contextId" | "mergeKey">): boolean =>
  contextId !== undefined && mergeKey === updateMergeKey(contextId);

/** The names under which a message is reported. A view, a time or a deletion is not the context that it is about: what becomes of it says nothing of that. */
export function namesOf(head: Named): { id: string; contextId?: string } {
  const { id, contextId } = head;
  return contextId === undefined || isFollowUp(head) || ["heartbeat", "delete"].includes(kindOf(head.rank)) ? { id } : { id, contextId };
}

export const sumBytes = (heads: readonly Head[]): number => heads.reduce((sum, { bytes }) => sum + bytes, 0);

/** Milliseconds until a wait ends; 0 when it has. Never more than its whole length, wherever the clock stands. */
export const leftOf = (wait: Wait | undefined, now: number): number =>
  wait === undefined ? 0 : Math.max(0, Math.min(wait.until - now, wait.ms));
