import type Database from "better-sqlite3";
import { setImmediate as soon, setTimeout as wait } from "node:timers/promises";
import { busyTimeoutMs, isBusy, lockRetryMs } from "./connection.js";
import { findFault } from "../faults.js";
import { createPause, withPauses } from "../../workers/pause.js";

interface Job {
  work: () => Steps<unknown>;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
  /** When waiting for another process's lock ends, by `performance.now()`. */
  until: number;
}

/** Synchronous work, which yields where others may have their turn on the event loop. Nothing else is written meanwhile. */
export type Steps<T> = Iterator<void, T>;

/** Enough to share one flush to disk among the requests of a busy moment, and little enough to keep the first from waiting. */
const groupMax = 32;

/**
 * SQLite has one writer: jobs queue here, and those that wait together share one transaction and one flush to disk (group commit). A
 * promise resolves once its work is durable. A job that throws is rolled back and refused alone.
 *
 * While another process has the database locked, jobs wait for about {@link busyTimeoutMs} and are then refused. SQLite's own
 * waiting would hold up the whole process, so the connection must not wait itself.
 */
export class SqliteWriter {
  readonly #db: Database.Database;
  readonly #verify: () => void;
  readonly #jobs: Job[] = [];
  #turn: Promise<void> = Promise.resolve();
  #isScheduled = false;
  /** Whether the last transaction failed as a whole, such as on a full disk. */
  lastWriteFailed = false;

  /** @param verify throws when nothing may be written, or what is written would be lost; called before and after each transaction */
  constructor(db: Database.Database, verify: () => void = () => {}) {
    this.#db = db;
    this.#verify = verify;
  }

  /**
   * Runs synchronous work in a transaction, which it may share with others. It may run more than once.
   * @param onCommit called right after the commit, before anything else can read what was written
   */
  run<T>(work: () => T, onCommit?: (value: T) => void): Promise<T> {
    // oxlint-disable-next-line require-yield -- one step
    return this.runSteps(function* () {
      return work();
    }, onCommit);
  }

  /** The same for work that takes long. */
  runSteps<T>(work: () => Steps<T>, onCommit: (value: T) => void = () => {}): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const committed = (value: unknown) => {
        onCommit(value as T);
        resolve(value as T);
      };
      this.#jobs.push({ work, resolve: committed, reject, until: performance.now() + busyTimeoutMs });
      this.#schedule();
    });
  }

  /** Runs work that writes on another connection of this process, such as Prisma's, while no other write does. */
  exclusive<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(async () => {
      this.#verify();
      const value = await work();
      this.#verify();
      return value;
    });
    this.#turn = settled(result);
    return result;
  }

  /** Resolves when nothing is queued or under way. */
  async idle(): Promise<void> {
    for (let turn; turn !== this.#turn;) await (turn = this.#turn);
  }

  /** What arrives until the next turn belongs to the same group; exclusive work that was asked for before goes first. */
  #schedule(): void {
    if (this.#isScheduled || this.#jobs.length === 0) return;
    this.#isScheduled = true;
    this.#turn = this.#commitNext(this.#turn);
  }

  async #commitNext(before: Promise<void>): Promise<void> {
    await before;
    // Requests that have arrived meanwhile are read first.
    await soon();
    this.#isScheduled = false;
    await this.#commit(this.#jobs.splice(0, groupMax));
    this.#schedule();
  }

  async #commit(jobs: readonly Job[]): Promise<void> {
    const until = jobs.at(-1)?.until ?? 0;
    for (; ; await wait(lockRetryMs)) {
      try {
        await this.#runGroup(jobs);
        this.lastWriteFailed = false;
        return;
      } catch (error) {
        if (isBusy(error)) {
          if (performance.now() < until) continue;
          for (const { reject } of jobs) reject(error);
        } else if (jobs.length === 1) {
          this.lastWriteFailed = findFault(error) !== undefined;
          jobs[0]?.reject(error);
        } else for (const job of jobs) await this.#commit([job]);
        return;
      }
    }
  }

  /** Throws, with no job settled and nothing written that a restart would find, when the transaction as a whole fails. */
  async #runGroup(jobs: readonly Job[]): Promise<void> {
    this.#verify();
    const db = this.#db;
    // All writers wait for it, so it goes before other long work.
    const pause = createPause(soon);
    const settle: Array<() => void> = [];
    db.exec("BEGIN IMMEDIATE");
    try {
      for (const { work, resolve, reject } of jobs) {
        await pause();
        if (jobs.length === 1) {
          const value = await withPauses(work(), pause);
          settle.push(() => resolve(value));
          continue;
        }
        db.exec("SAVEPOINT job");
        try {
          const value = await withPauses(work(), pause);
          db.exec("RELEASE job");
          settle.push(() => resolve(value));
        } catch (error) {
          // Some failures, such as a full disk, end the whole transaction.
          if (!db.inTransaction) throw error;
          db.exec("ROLLBACK TO job; RELEASE job");
          settle.push(() => reject(error));
        }
      }
      db.exec("COMMIT");
    } catch (error) {
      if (db.inTransaction) db.exec("ROLLBACK");
      throw error;
    }
    this.#verify();
    for (const each of settle) each();
  }
}

async function settled(work: Promise<unknown>): Promise<void> {
  await work.catch(() => {});
}
