import { kindOf } from "./message.js";
import type { BatchLimits, Limits, Settings } from "./options.js";
import type { BlockReason, DropCounts, DropReason, Settled, Trouble } from "./outcomes.js";
import { type DeadHead, type Head, isCount, type Named, namesOf, sumBytes, type Wait } from "./rows.js";
import type { StoreTransaction, WriteOptions } from "./store.js";

/** What is known of an account: its counts, and all that must outlive the process. */
export interface AccountState {
  waiting: number;
  bytes: number;
  dead: number;
  /** Attempts in a row that failed. */
  failures: number;
  /** Attempts in a row that met the rate limit: no reason for smaller batches. */
  limited: number;
  /** Why nothing is sent. `refused`: the mark of a key that the service refused; `server`: that of the server, when one was asked. */
  block?: Wait & { reason: BlockReason; refused?: string | undefined; server?: string | undefined };
  /** Limit of the next batches after one was refused as a whole. Absent once the message at fault is found, or no message can be sent now. */
  room?: BatchLimits;
  /** Why the last request failed, or none was made. */
  trouble?: Trouble;
  tallies: DropCounts;
  /** Those that the service does not know yet. */
  unreported: DropCounts;
  reportedAt?: number;
}

/** An account in a transaction: its messages and its state. */
export interface Ledger {
  tx: StoreTransaction;
  account: string;
  state: AccountState;
  /** What the host is told when the transaction is complete. */
  reports: Report[];
}

/** What became of a message: `dropped` for one that will not reach the service. */
export type Report = Settled | { dropped: Named; reason: DropReason };

/** Runs a transaction, and reports what became of messages in it when it is complete. Rejects when nothing of it took effect. */
export async function runTransaction<T>(
  settings: Settings,
  work: (tx: StoreTransaction, reports: Report[]) => Promise<T>,
  options?: WriteOptions,
): Promise<T> {
  const reports: Report[] = [];
  const result = await settings.store.write((tx) => work(tx, reports), options);
  for (const report of reports) {
    if ("dropped" in report) reportDropped(settings, report.dropped, report.reason);
    else settings.onSettled(report);
  }
  return result;
}

/** Changes an account within a transaction. */
export async function inLedger<T>(
  tx: StoreTransaction,
  account: string,
  reports: Report[],
  change: (ledger: Ledger) => Promise<T> | T,
): Promise<T> {
  const ledger = { tx, account, reports, state: await readState(tx, account) };
  const result = await change(ledger);
  await tx.put("state", ledger.state, stateKey(account));
  return result;
}

/** Changes an account in a transaction of its own, with what was lost of it and could not be written down before. */
export async function changeAccount<T>(
  settings: Settings,
  account: string,
  change: (ledger: Ledger) => Promise<T> | T,
  options?: WriteOptions,
): Promise<T> {
  const { unwritten } = settings;
  const lost = unwritten.get(account) ?? {};
  unwritten.delete(account);
  try {
    return await runTransaction(
      settings,
      (tx, reports) =>
        inLedger(tx, account, reports, (ledger) => {
          tally(ledger.state, lost);
          return change(ledger);
        }),
      options,
    );
  } catch (error) {
    remember(settings, account, lost);
    throw error;
  }
}

/** Counts what is lost in memory, until something can be written down. */
export function remember({ unwritten }: Settings, account: string, lost: DropCounts): void {
  unwritten.set(account, sumOf(unwritten.get(account) ?? {}, lost));
}

/** Reports a message that will not reach the service. */
export function reportDropped({ emit, onSettled }: Settings, message: Named | DeadHead, reason: DropReason): void {
  emit({ type: "dropped", reason, kind: kindOf(message.rank) });
  // One that was refused, or given up, was settled then.
  if (reason !== "rejected-by-server" && !("diedAt" in message)) onSettled({ ...namesOf(message), status: "dropped", reason });
}

/** Key of the `state` row of an account. */
export const stateKey = (account: string) => `account ${account}`;

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
  if (isWhole) return found as AccountState;
  await countRows({ tx, account, state: fresh });
  return fresh;
}

/** Counts waiting and dead messages as the tables have them, for when the counts cannot be believed. Resolves to those that wait. */
export async function countRows({ tx, account, state }: Omit<Ledger, "reports">): Promise<Head[]> {
  const heads = (await tx.list("heads", { index: "bySeq", prefix: [account] })) as Head[];
  const dead = await tx.list("dead", { index: "bySeq", prefix: [account] });
  Object.assign(state, { waiting: heads.length, bytes: sumBytes(heads), dead: dead.length });
  return heads;
}

export function clearBlock(state: AccountState): void {
  state.failures = 0;
  state.limited = 0;
  delete state.block;
}

/** Counts what is lost, for `status` and for the next report to the service. */
export function tally(state: AccountState, lost: DropCounts): void {
  state.tallies = sumOf(state.tallies, lost);
  state.unreported = sumOf(state.unreported, lost);
}

function sumOf(one: DropCounts, other: DropCounts): DropCounts {
  const sum = { ...one };
  for (const [reason, count] of Object.entries(other) as [keyof DropCounts, number][]) sum[reason] = (sum[reason] ?? 0) + count;
  return sum;
}

/** Adds a message to those that wait. Resolves to its place. */
export async function add({ tx, state }: Ledger, head: Omit<Head, "seq">, json: string): Promise<number> {
  const seq = await tx.add("heads", head);
  await tx.put("bodies", json, seq);
  state.waiting += 1;
  state.bytes += head.bytes;
  return seq;
}

/** Removes a message that waits or was given up, with its body. */
export async function remove(ledger: Ledger, head: Head | DeadHead): Promise<void> {
  await unlink(ledger, head);
  await ledger.tx.delete("bodies", head.seq);
}

/** Takes a message out of its table. */
async function unlink({ tx, state }: Ledger, head: Head | DeadHead): Promise<void> {
  const isDead = "diedAt" in head;
  await tx.delete(isDead ? "dead" : "heads", head.seq);
  if (isDead) state.dead -= 1;
  else {
    state.waiting -= 1;
    state.bytes -= head.bytes;
  }
}

/** Removes a message that will not reach the service. */
export async function drop(ledger: Ledger, head: Head | DeadHead, reason: DropReason): Promise<void> {
  await remove(ledger, head);
  tally(ledger.state, { [reason]: 1 });
  ledger.reports.push({ dropped: head, reason });
}

/** Moves a message to the dead letters; its body stays where it is. */
export async function moveToDeadLetters(
  ledger: Ledger,
  head: Head,
  { code, message, now }: { code: string; message: string; now: number },
): Promise<void> {
  const { wait: _, ...rest } = head;
  await unlink(ledger, head);
  await ledger.tx.put("dead", { ...rest, code, message: message.slice(0, 500), diedAt: now } satisfies DeadHead);
  ledger.state.dead += 1;
}

/** Puts a dead letter back into the queue, unless it is there again by now. It is as old as it was: the service knows its id for so long only. */
export async function revive(ledger: Ledger, dead: DeadHead): Promise<void> {
  const { tx, account, state } = ledger;
  const known = await tx.list("heads", { index: "byId", prefix: [account, dead.id], limit: 1 });
  if (known.length > 0) return await remove(ledger, dead);
  await unlink(ledger, dead);
  const { code: _, message: _words, diedAt: _at, ...head } = dead;
  await tx.put("heads", { ...head, starts: 0 });
  state.waiting += 1;
  state.bytes += head.bytes;
}

/** The part of the queue that messages from pages of one site may take. */
const siteShare = 1 / 4;

/**
 * Makes room, first within the share of `site`, the site of the page that the added message came from. The lowest rank goes first, then the oldest. Messages
 * that were never sent go before those that were, so that what is counted as lost is not on the service.
 */
export async function evict(ledger: Ledger, limits: Limits, site: string | undefined): Promise<void> {
  const { state } = ledger;
  const share = { items: limits.items * siteShare, bytes: limits.bytes * siteShare };
  const least = site === undefined ? limits : share;
  if (state.waiting <= least.items && state.bytes <= least.bytes) return;
  // After damage the rows are what there is.
  const heads = await countRows(ledger);
  heads.sort((one, other) => one.rank - other.rank || Number(one.attempts > 0) - Number(other.attempts > 0) || one.seq - other.seq);
  // The last one of a site stays, however small its share is.
  const own = heads.filter((head) => site !== undefined && head.site === site);
  const lost = new Set(await shrink(own, share, 1));
  const others = heads.filter((head) => !lost.has(head));
  await shrink(others, limits, 0);

  async function shrink(from: readonly Head[], bounds: Pick<Limits, "items" | "bytes">, countMin: number): Promise<Head[]> {
    let [items, bytes] = [from.length, sumBytes(from)];
    const surplus = from.filter((head) => {
      const isSurplus = items > countMin && (items > bounds.items || bytes > bounds.bytes);
      if (isSurplus) [items, bytes] = [items - 1, bytes - head.bytes];
      return isSurplus;
    });
    for (const head of surplus) await drop(ledger, head, "full");
    return surplus;
  }
}
