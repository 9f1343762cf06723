import { checkConnection, type ConnectionCheck } from "./connection.js";
import { type DeadLetters, deadLettersOf } from "./dead-letters.js";
import { drain } from "./drain.js";
import { enqueue, type EnqueueOptions, storeError } from "./enqueue.js";
import { clearBlock, inLedger, readState, tally, type Report, runTransaction } from "./ledger.js";
import { kindOfMessage, type NewMessage } from "./message.js";
import { type QueueOptions, type Settings, settingsOf } from "./options.js";
import type { DropCounts, Enqueued, FlushReport, QueueReason, QueueStatus, Trouble } from "./outcomes.js";
import { removeAccountRows, removeMessages, sweep } from "./removal.js";
import { type Head, leftOf } from "./rows.js";
import { rowsOf, type StoreTransaction } from "./store.js";

/** A durable queue of messages to the service. Everything it knows is in its store: another queue on the same store goes on where one ended. */
export interface SyncQueue {
  /**
   * Takes a message. Resolves when it is on the disk, or with the reason why it is not.
   * @throws TypeError for an unknown type, and for an id that is empty or longer than 128 characters
   */
  enqueue(message: NewMessage, options?: EnqueueOptions): Promise<Enqueued>;
  /**
   * Sends until nothing waits, something hinders it or `deadlineMs` (default 60,000) have passed; a request that has begun is ended first. Joins a
   * flush of the same queue, waits for one of another. Never rejects.
   */
  flush(options?: { deadlineMs?: number }): Promise<FlushReport>;
  /** The state of the current account's messages. Rejects when the store fails. */
  status(): Promise<QueueStatus>;
  /** Asks the service (`GET /key`) whether it can be reached and takes the key. Never rejects. */
  check(): Promise<ConnectionCheck>;
  /** Stops sending, for good or for `ms` milliseconds, also after a restart. Messages are taken all the same. */
  pause(ms?: number): Promise<void>;
  /** Ends a pause, and what the service was waited for: the next flush sends. */
  resume(): Promise<void>;
  /** Messages of the current account that were given up. */
  deadLetters: DeadLetters;
  /**
   * Removes messages that wait or were given up, of any account, as for a site that its user blocked. A request that is on its way ends first: when it
   * resolves, no such message is on its way, nor will be. Resolves to how many there were.
   */
  remove(where: (message: NewMessage) => boolean): Promise<number>;
  /** Removes all of an account: waiting and dead messages, counts and times. When it resolves, no request of it is on its way, nor will be. */
  removeAccount(account: string): Promise<void>;
}

const pauseKey = "pause";

/**
 * A queue on a store. Starts nothing by itself: the host calls `flush`, and again at the `nextAt` of its report.
 * @throws TypeError when the options cannot work
 */
export const createQueue = (options: QueueOptions): SyncQueue => queueWith(settingsOf(options));

export function queueWith(settings: Settings): SyncQueue {
  const { clock, emit, locks, log, store, unwritten } = settings;
  const running = new Map<string, Promise<FlushReport>>();
  const faults = new Map<string, Fault>();
  let stops = 0;
  let isSwept = false;
  const lockOf = (account: string) => `periscope-drain:${account}`;
  const nothing = { requests: 0, synced: 0, duplicates: 0, failed: 0 };

  return {
    async enqueue(message, options = {}) {
      const account = await settings.account();
      if (account !== null) return await enqueue(settings, account, message, options);
      emit({ type: "dropped", reason: "no-account", kind: kindOfMessage(message) });
      return { status: "dropped", reason: "no-account" };
    },
    async flush({ deadlineMs = 60_000 } = {}) {
      const account = await settings.account();
      if (account === null) {
        // What former accounts left must not stay for good. A disk that fails may work at the next flush.
        await sweepOnce("").catch(() => {});
        return { ...nothing, endedBy: "no-account", nextAt: null };
      }
      const found = running.get(account);
      if (found !== undefined) return await found;
      const flushing = flushOf(account, clock.now() + deadlineMs).finally(() => running.delete(account));
      running.set(account, flushing);
      return await flushing;
    },
    async status() {
      const account = (await settings.account()) ?? undefined;
      const now = clock.now();
      const fault = faults.get(account ?? "");
      const isSending = account !== undefined && running.has(account);
      const lost = unwritten.get(account ?? "") ?? {};
      return await store.read(async (tx) => readStatus(tx, account, { now, pausedUntil: await pausedUntil(tx), isSending, fault, lost }));
    },
    async check() {
      return await checkConnection(settings, (await settings.account()) ?? "");
    },
    async pause(ms) {
      await store.write((tx) => tx.put("state", ms === undefined ? {} : { until: clock.now() + ms, ms }, pauseKey));
    },
    async resume() {
      const account = await settings.account();
      await runTransaction(settings, async (tx, reports) => {
        await tx.delete("state", pauseKey);
        if (account !== null) await inLedger(tx, account, reports, ({ state }) => clearBlock(state));
      });
    },
    deadLetters: deadLettersOf(settings),
    async remove(where) {
      const account = await settings.account();
      const accounts = new Set([...running.keys(), ...(account === null ? [] : [account])]);
      const removed = await removing(accounts, (tx, reports) => removeMessages(tx, reports, where));
      log.step(`removed ${removed} messages`);
      return removed;
    },
    async removeAccount(account) {
      await removing([account], (tx) => removeAccountRows(tx, account));
      unwritten.delete(account);
      faults.delete(account);
      log.step("removed an account");
    },
  };

  /** Removes at once, then again under the lock of each account for what a running flush wrote. Sums up what was removed. */
  async function removing(accounts: Iterable<string>, work: (tx: StoreTransaction, reports: Report[]) => Promise<number>): Promise<number> {
    stops += 1;
    try {
      let removed = await runTransaction(settings, work);
      for (const account of accounts) removed += await locks.request(lockOf(account), {}, () => runTransaction(settings, work));
      return removed;
    } finally {
      stops -= 1;
    }
  }

  async function flushOf(account: string, deadline: number): Promise<FlushReport> {
    const controller = new AbortController();
    // The holder of the lock may be frozen: do not wait for it forever.
    const cancel = clock.after(Math.max(0, deadline - clock.now()), () => controller.abort());
    let hasLock = false;
    try {
      return await locks.request(lockOf(account), { signal: controller.signal }, async () => {
        hasLock = true;
        cancel();
        await sweepOnce(account);
        const report = await drain(settings, { account, deadline, isStopped: () => stops > 0, pausedUntil });
        faults.delete(account);
        return report;
      });
    } catch (error) {
      if (!hasLock && controller.signal.aborted) return { ...nothing, endedBy: "deadline", nextAt: clock.now() };
      return failed(account, error);
    } finally {
      cancel();
    }
  }

  /** Reports a flush that failed. A bug's error is only named, because its text may quote a message; that of the store never does. */
  function failed(account: string, error: unknown): FlushReport {
    const until = clock.now() + 5_000;
    const isBug = [TypeError, RangeError, ReferenceError, SyntaxError].some((type) => error instanceof type);
    const text = isBug ? `The queue failed (${(error as Error).name}).` : storeError(error);
    emit({ type: isBug ? "failed" : "storage", error: text });
    const lastError = isBug ? `${text} Waiting messages are kept and sent later.` : `The browser's storage failed: ${text}`;
    faults.set(account, { code: isBug ? "internal" : "storage", error: lastError, until });
    return { ...nothing, endedBy: isBug ? "failed" : "storage-failed", nextAt: until };
  }

  /** Once is enough: damaged rows can only be older than this queue, and what gets old meanwhile is for the next one. */
  async function sweepOnce(account: string): Promise<void> {
    if (isSwept) return;
    const oldest = clock.now() - settings.limits.ageMs;
    const count = await runTransaction(settings, (tx, reports) => sweep(tx, reports, { account, oldest }));
    isSwept = true;
    for (let index = 0; index < count; index += 1) emit({ type: "dropped", reason: "corrupt" });
  }

  async function pausedUntil(tx: StoreTransaction): Promise<number | undefined> {
    const pause = (await tx.get("state", pauseKey)) as { until?: number; ms?: number } | undefined;
    if (pause?.until === undefined || pause.ms === undefined) return pause && Infinity;
    const left = leftOf({ until: pause.until, ms: pause.ms }, clock.now());
    return left > 0 ? clock.now() + left : undefined;
  }
}

/** What hindered the last flush and could not be written down. */
interface Fault extends Trouble {
  until: number;
}

interface Seen {
  now: number;
  pausedUntil: number | undefined;
  isSending: boolean;
  fault: Fault | undefined;
  lost: DropCounts;
}

/** The state of an account's messages in the terms of its host; undefined stands for that of nobody. */
async function readStatus(tx: StoreTransaction, account: string | undefined, seen: Seen): Promise<QueueStatus> {
  const { now, pausedUntil, isSending, fault, lost } = seen;
  const state = await readState(tx, account ?? "");
  tally(state, lost);
  const { waiting, bytes, dead: deadLetters, block, tallies: dropped, unreported } = state;
  const left = leftOf(block, now);
  // What the store could not write down is not in it.
  const until = left > 0 ? now + left : account === undefined ? undefined : (fault?.until ?? (await restUntil(tx, account, now)));
  let reason: QueueReason = until !== undefined && waiting > 0 ? "backing-off" : "idle";
  // A block whose time is over holds until an answer comes.
  if (block !== undefined && (left > 0 || waiting > 0)) ({ reason } = block);
  if (isSending) reason = "sending";
  if (pausedUntil !== undefined) reason = "paused";
  const trouble = fault ?? state.trouble;
  const blockedUntil = Math.max(until ?? 0, pausedUntil ?? 0);
  return {
    waiting,
    bytes,
    deadLetters,
    blockedUntil: blockedUntil > now && blockedUntil < Infinity ? blockedUntil : null,
    reason,
    lastError: trouble?.error ?? null,
    lastErrorCode: trouble?.code ?? null,
    dropped,
    unreported,
  };
}

/** When the first message may be sent again, if each has a wait of its own; undefined when one may be sent now. */
async function restUntil(tx: StoreTransaction, account: string, now: number): Promise<number | undefined> {
  let first: number | undefined;
  for await (const row of rowsOf(tx, "heads", account)) {
    const { wait, attempts } = row as Head;
    const left = leftOf(wait, now);
    // One that only waits for its site's turn is not hindered.
    if (left === 0 || attempts === 0) return undefined;
    first = Math.min(first ?? Infinity, now + left);
  }
  return first;
}
