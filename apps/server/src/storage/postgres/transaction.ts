import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import { unavailable } from "../../domain-error.js";
import { isConflict } from "./database-gone.js";
import { type Connection, type Query, run, type Statement } from "./pool.js";

const attemptsMax = 4;

/** Counts a write to the user's data and keeps other writers of the user out until the transaction ends. No row without the user. */
export const bumpRevision: Statement = {
  name: "bump_revision",
  text: `UPDATE users SET revision = revision + 1 WHERE "userId" = $1 RETURNING 1`,
};

/** The same, if the data is as it was at revision `$2`. */
export const bumpRevisionFrom: Statement = {
  name: "bump_revision_from",
  text: `UPDATE users SET revision = revision + 1 WHERE "userId" = $1 AND revision = $2::bigint RETURNING 1`,
};

/**
 * Runs `first`, then `writes` and COMMIT in one go: two round trips. Resolves with the rows of the writes, or undefined, with
 * nothing written, when `first` has no row. A transaction that met a deadlock is run again.
 */
export async function writeTransaction(pool: pg.Pool, first: Query, writes: readonly Query[]): Promise<pg.QueryResult[] | undefined> {
  for (let attempt = 1; ; attempt++) {
    const connection = await pool.connect();
    try {
      const [, opened] = await pipelined(connection, [[begin, []], first]);
      if (opened?.rowCount === 0) {
        release(connection, connection.query("ROLLBACK"));
        return undefined;
      }
      const results = await pipelined(connection, [...writes, [commit, []]]);
      // PostgreSQL answers the COMMIT of a failed transaction with ROLLBACK.
      if (results.pop()?.command !== "COMMIT") throw new Error("The transaction was rolled back.");
      connection.release();
      return results;
    } catch (error) {
      release(connection, connection.query("ROLLBACK"));
      if (!isConflict(error) || attempt === attemptsMax) throw error;
    }
    await pause(attempt * 10 * Math.random());
  }
}

const begin: Statement = { name: "begin", text: "BEGIN" };
const commit: Statement = { name: "commit", text: "COMMIT" };
const beginReading: Statement = { name: "begin_reading", text: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" };

/** Reads as of one moment, in one round trip. */
export async function readTogether(pool: pg.Pool, queries: readonly Query[]): Promise<pg.QueryResult[]> {
  const connection = await pool.connect();
  try {
    const results = await pipelined(connection, [[beginReading, []], ...queries, [commit, []]]);
    connection.release();
    return results.slice(1, -1);
  } catch (error) {
    release(connection, connection.query("ROLLBACK"));
    throw error;
  }
}

/** Sends all without waiting for each other. Rejects with the first failure, which is why all after it failed, when all are answered. */
async function pipelined(connection: Connection, queries: readonly Query[]): Promise<pg.QueryResult[]> {
  const sent = queries.map((query) => run(connection, query));
  const settled = await Promise.allSettled(sent);
  return settled.map((each) => {
    if (each.status === "rejected") throw each.reason;
    return each.value;
  });
}

/** Gives a connection back when its transaction has ended, or up when that fails. */
export function release(connection: Connection, ending: Promise<unknown>): void {
  void ending.then(
    () => connection.release(),
    (broken: Error) => connection.release(broken),
  );
}

interface Queue {
  waiting: Array<() => void>;
  ended: PromiseWithResolvers<void>;
}

/** Writers of one user that wait at most: more than a browser sends at once. Each holds what it was sent. */
const waitingMax = 64;
/** Milliseconds that a writer waits at most. */
const waitMaxMs = 10_000;

/** Runs the writes of one user one after the other, so that a busy user takes one connection and leaves the rest to others. */
export class PerUserQueue {
  readonly #queues = new Map<string, Queue>();
  readonly #waitMs: number;

  /** @param waitMs milliseconds that a writer waits at most */
  constructor(waitMs = waitMaxMs) {
    this.#waitMs = waitMs;
  }

  /**
   * Runs `work` when all earlier work of the same user has ended, well or not. Rejects with `unavailable` at once when too many wait, and
   * when its turn has not come in time; then nothing was run.
   */
  async run<T>(userId: string, work: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(userId);
    if (queue) await this.#wait(queue);
    else this.#queues.set(userId, { waiting: [], ended: Promise.withResolvers() });
    try {
      return await work();
    } finally {
      this.#next(userId);
    }
  }

  /** Resolves when nothing is waiting or running. */
  async idle(): Promise<void> {
    while (this.#queues.size > 0) await Promise.all([...this.#queues.values()].map(({ ended }) => ended.promise));
  }

  async #wait({ waiting }: Queue): Promise<void> {
    if (waiting.length >= waitingMax) throw tooMany();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    waiting.push(resolve);
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(resolve), 1);
      reject(tooMany());
    }, this.#waitMs);
    await promise.finally(() => clearTimeout(timer));
  }

  #next(userId: string): void {
    const queue = this.#queues.get(userId);
    const start = queue?.waiting.shift();
    if (start) return start();
    this.#queues.delete(userId);
    queue?.ended.resolve();
  }
}

const tooMany = () => unavailable("Too many changes of this user wait for each other. Send fewer at once, or in one batch.", 1);
