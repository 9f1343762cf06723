import { kindOf, updateMergeKey } from "./message.js";
import type { BatchLimits } from "./options.js";
import type { BlockCause, ErrorCode, DropCounts } from "./outcomes.js";
import type { StoreTransaction } from "./store.js";

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

const isCount = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value) && value >= 0;

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

/** The names under which a message is reported. A view or time is not the context that it is about, and may be stored when that is not. */
export function namesOf(head: Named): { id: string; contextId?: string } {
  const { id, contextId, rank } = head;
  return contextId === undefined || kindOf(rank) === "heartbeat" || isFollowUp(head) ? { id } : { id, contextId };
}

export const sumBytes = (heads: readonly Head[]): number => heads.reduce((sum, { bytes }) => sum + bytes, 0);

/** Milliseconds until a wait ends; 0 when it has. Never more than its whole length, wherever the clock stands. */
export const leftOf = (wait: Wait | undefined, now: number): number =>
  wait === undefined ? 0 : Math.max(0, Math.min(wait.until - now, wait.ms));

/** What is known of an account: its counts, and all that must outlive the process. */
export interface AccountState {
  waiting: number;
  bytes: number;
  dead: number;
  failures: number;
  /** Requests in a row that met the rate limit. */
  limited: number;
  block?: Wait & { cause: BlockCause };
  /** Limit of the next batches after one was refused as a whole. Absent once the message at fault is found, or no message can be sent now. */
  room?: BatchLimits;
  refused?: string;
  lastError?: string;
  lastErrorCode?: ErrorCode;
  tallies: DropCounts;
  /** Those that the service does not know yet. */
  unreported: DropCounts;
  reportedAt?: number;
}

const stateKey = (account: string) => `account ${account}`;

/** The state of an account; of one that is new or whose record is damaged, one that knows nothing but what waits. */
export async function readState(tx: StoreTransaction, account: string): Promise<AccountState> {
  const fresh = { waiting: 0, bytes: 0, dead: 0, failures: 0, limited: 0, tallies: {}, unreported: {} };
  const found = (await tx.get("state", stateKey(account))) as Partial<AccountState> | undefined;
  if (found === undefined) return fresh;
  const { waiting, bytes, dead, failures, limited, room, tallies, unreported } = found;
  const isWhole =
    [waiting, bytes, dead, failures, limited].every(Number.isFinite) &&
    typeof tallies === "object" &&
    typeof unreported === "object" &&
    (room === undefined || (isCount(room.items) && isCount(room.bytes)));
  return isWhole ? (found as AccountState) : { ...fresh, ...(await countRows(tx, account)) };
}

/** Waiting and dead messages as the tables have them, for when the counts cannot be believed. */
export async function countRows(tx: StoreTransaction, account: string): Promise<Pick<AccountState, "waiting" | "bytes" | "dead">> {
  const heads = (await tx.list("heads", { index: "bySeq", prefix: [account] })) as Head[];
  const dead = await tx.list("dead", { index: "bySeq", prefix: [account] });
  return { waiting: heads.length, bytes: sumBytes(heads), dead: dead.length };
}

export async function changeState<T>(tx: StoreTransaction, account: string, change: (state: AccountState) => T | Promise<T>): Promise<T> {
  const state = await readState(tx, account);
  const result = await change(state);
  await tx.put("state", state, stateKey(account));
  return result;
}

export const deleteState = (tx: StoreTransaction, account: string): Promise<void> => tx.delete("state", stateKey(account));

export function clearBlock(state: AccountState): void {
  state.failures = 0;
  state.limited = 0;
  delete state.block;
  delete state.refused;
}

/** Counts what is lost, for `status` and for the next report to the service. */
export function tally(state: AccountState, lost: DropCounts): void {
  addTallies(state.tallies, lost);
  addTallies(state.unreported, lost);
}

export function addTallies(to: DropCounts, lost: DropCounts): void {
  for (const [reason, count] of Object.entries(lost) as [keyof DropCounts, number][]) to[reason] = (to[reason] ?? 0) + count;
}
