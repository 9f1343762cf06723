import { type DeadLetters, deadLettersOf } from "./dead-letters.js";
import { drain, failedFlush } from "./drain.js";
import { enqueue, type EnqueueOptions, type UnwrittenTallies } from "./enqueue.js";
import type { NewMessage } from "./message.js";
import { sweepStrays } from "./evict.js";
import { type QueueOptions, settingsOf } from "./options.js";
import type { Enqueued, FlushReport, QueueStatus } from "./outcomes.js";
import { readState } from "./partition-state.js";
import { leftOf, seqOf, type Wait } from "./rows.js";
import { clearBlock } from "./settle.js";
import { type Fault, readStatus } from "./status.js";
import { turnsKey } from "./site-turns.js";
import type { StoreTransaction } from "./store.js";
import { watchStore } from "./watch-store.js";
import { withdraw } from "./withdraw.js";

/** A durable queue of messages to the service. Everything it knows is in its store: another queue on the same store goes on where one ended. */
export interface SyncQueue {
  /**
   * Takes a message. Resolves when it is on the disk, or with the reason why it is not.
   * @throws TypeError for a message id of no or more than 128 characters
   */
  enqueue(message: NewMessage, options?: EnqueueOptions): Promise<Enqueued>;
  /**
   * Sends until nothing waits, something hinders it or `deadlineMs` (default 60,000) have passed; a request that has begun is ended first. Joins a
   * flush of the same queue, waits for one of another. Never rejects.
   */
  flush(options?: { deadlineMs?: number }): Promise<FlushReport>;
  /** The state of the current account's messages. Rejects when the store fails. */
  status(): Promise<QueueStatus>;
  /** Stops sending, for good or for `ms` milliseconds, also after a restart. Messages are taken all the same. */
  pause(ms?: number): Promise<void>;
  /** Ends a pause, and what the service was waited for: the next flush sends. */
  resume(): Promise<void>;
  /** Messages of the current account that were given up. */
  deadLetters: DeadLetters;
  /** Deletes what waits or was given up of any account, as for a site that its user blocked; counts as blocked. Resolves to how many there were. */
  withdraw(isMeant: (message: NewMessage) => boolean): Promise<number>;
  /** As `withdraw`, but lets a flush of the current account end first: when it resolves, no such message is on its way, nor will be. */
  forget(isMeant: (message: NewMessage) => boolean): Promise<number>;
  /** Forgets an account: waiting and dead messages, counts and times. When it resolves, no request of that account is on its way or will be. */
  purge(account: string): Promise<void>;
}

const pauseKey = "pause";

/**
 * A queue on a store. Starts nothing by itself: the host calls `flush`, and again at the `nextAt` of its report.
 * @throws TypeError when the options cannot work
 */
export function createQueue(options: QueueOptions): SyncQueue {
  const given = settingsOf(options);
  const { store, isOfStore } = watchStore(given.store);
  const settings = { ...given, store };
  const { clock, emit, endpoint, locks } = settings;
  const unwritten: UnwrittenTallies = new Map();
  const partitionOf = (account: string) => `${account} ${endpoint}`;
  const lockOf = (partition: string) => `periscope-drain:${partition}`;
  const running = new Map<string, Promise<FlushReport>>();
  const purging = new Map<string, number>();
  let isSwept = false;
  const faults = new Map<string, Fault>();

  /** The account that is signed in; one that cannot be told counts as none. */
  async function currentAccount(): Promise<string | null> {
    try {
      return await settings.account();
    } catch {
      return null;
    }
  }
  const quiet = { ...settings, account: currentAccount };

  return {
    async enqueue(message, options = {}) {
      const account = await currentAccount();
      if (account === null) {
        emit({ type: "dropped", reason: "no-account", count: 1 });
        return { status: "dropped", reason: "no-account" };
      }
      return await enqueue(quiet, { partition: partitionOf(account), unwritten }, message, options);
    },
    async flush({ deadlineMs = 60_000 } = {}) {
      const account = await currentAccount();
      if (account === null) return { requests: 0, synced: 0, duplicates: 0, failed: 0, endedBy: "no-account", nextAt: null };
      const found = running.get(account);
      if (found !== undefined) return await found;
      const flushing = flushOf(account, clock.now() + deadlineMs).finally(() => running.delete(account));
      running.set(account, flushing);
      return await flushing;
    },
    status,
    async pause(ms) {
      const pause = ms === undefined ? { forEver: true } : { until: clock.now() + ms, ms };
      await store.write((tx) => tx.put("state", pause, pauseKey));
    },
    async resume() {
      const account = await currentAccount();
      await store.write(async (tx) => {
        await tx.delete("state", pauseKey);
        if (account === null) return;
        const state = await readState(tx, partitionOf(account));
        clearBlock(state);
        await tx.put("state", state, partitionOf(account));
      });
    },
    deadLetters: deadLettersOf({
      store,
      now: () => clock.now(),
      async partition() {
        const account = await currentAccount();
        return account === null ? undefined : partitionOf(account);
      },
    }),
    withdraw: withdrawNow,
    async forget(isMeant) {
      const account = await currentAccount();
      if (account === null) return await withdrawNow(isMeant);
      return await whileStopped(account, () => locks.request(lockOf(partitionOf(account)), {}, () => withdrawNow(isMeant)));
    },
    async purge(account) {
      const partition = partitionOf(account);
      await whileStopped(account, async () => {
        // At once, so that a flush elsewhere finds nothing more to send; and when none runs any more, for what that one wrote.
        await store.write((tx) => clear(tx, partition));
        await locks.request(lockOf(partition), {}, () => store.write((tx) => clear(tx, partition)));
        unwritten.delete(partition);
        faults.delete(partition);
      });
    },
  };

  async function withdrawNow(isMeant: (message: NewMessage) => boolean): Promise<number> {
    return await store.write((tx) => withdraw(tx, isMeant));
  }

  /** Does something while a flush of this queue ends after the batch that is on its way. */
  async function whileStopped<T>(account: string, work: () => Promise<T>): Promise<T> {
    purging.set(account, (purging.get(account) ?? 0) + 1);
    try {
      return await work();
    } finally {
      purging.set(account, (purging.get(account) ?? 1) - 1);
    }
  }

  async function flushOf(account: string, deadline: number): Promise<FlushReport> {
    const partition = partitionOf(account);
    const controller = new AbortController();
    // Whoever holds the lock may be frozen: this one does not wait for it for ever.
    const cancel = clock.after(Math.max(0, deadline - clock.now()), () => controller.abort());
    const isStopped = () => (purging.get(account) ?? 0) > 0;
    let hasLock = false;
    try {
      return await locks.request(lockOf(partition), { signal: controller.signal }, async () => {
        hasLock = true;
        cancel();
        await sweepOnce(partition);
        const report = await drain(quiet, { account, partition, deadline, isStopped, isPaused });
        faults.delete(partition);
        return report;
      });
    } catch (error) {
      if (!hasLock && controller.signal.aborted) {
        return { requests: 0, synced: 0, duplicates: 0, failed: 0, endedBy: "deadline", nextAt: clock.now() };
      }
      const { fault, report } = failedFlush(error, { emit, isOfStore: isOfStore(error), now: clock.now() });
      faults.set(partition, fault);
      return report;
    } finally {
      cancel();
    }
  }

  /** What others left in the tables can only have come before. */
  async function sweepOnce(partition: string): Promise<void> {
    if (isSwept) return;
    const count = await store.write((tx) => sweepStrays(tx, partition));
    isSwept = true;
    if (count > 0) emit({ type: "dropped", reason: "corrupt", count });
  }

  async function isPaused(tx: StoreTransaction): Promise<boolean> {
    const pause = (await tx.get("state", pauseKey)) as (Partial<Wait> & { forEver?: boolean }) | undefined;
    if (pause === undefined) return false;
    if (pause.until === undefined || pause.ms === undefined) return true;
    return leftOf({ until: pause.until, ms: pause.ms }, clock.now()) > 0;
  }

  async function status(): Promise<QueueStatus> {
    const account = await currentAccount();
    const partition = account === null ? undefined : partitionOf(account);
    const now = clock.now();
    const fault = partition === undefined ? undefined : faults.get(partition);
    const isSending = account !== null && running.has(account);
    return await store.read(async (tx) => readStatus(tx, partition, { now, isPaused: await isPaused(tx), isSending, fault }));
  }
}

async function clear(tx: StoreTransaction, partition: string): Promise<void> {
  for (const table of ["heads", "dead"] as const) {
    for (const row of await tx.list(table, { index: "bySeq", prefix: [partition] })) {
      const seq = seqOf(row);
      if (seq === undefined) continue;
      await tx.delete(table, seq);
      await tx.delete("bodies", seq);
    }
  }
  // Whose a damaged row is cannot be told.
  for (const row of await tx.all("quarantine")) await tx.delete("quarantine", (row as { seq: number }).seq);
  await tx.delete("state", partition);
  await tx.delete("state", turnsKey);
}
