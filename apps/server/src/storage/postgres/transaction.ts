import { setTimeout as wait } from "node:timers/promises";
import type pg from "pg";
import { hasCode } from "../faults.js";
import { type Connection, type Query, run, statement } from "./pool.js";

const attemptsMax = 4;

/** Whether a transaction lost against another one, and may be run again. */
export const isConflict = (error: unknown): boolean => hasCode(error, /^(?:40001|40P01|P2034)$/);

/** Whether a row was there already. */
export const isDuplicate = (error: unknown): boolean => hasCode(error, /^(?:23505|P2002)$/);

/** Whether the statement was cancelled, by its timeout or by an operator. */
export const isCancelled = (error: unknown): boolean => hasCode(error, /^57014$/);

/** Counts a write to the user's data and keeps other writers of the user out until the transaction ends. No row without the user. */
export const bumpRevision = statement(`UPDATE users SET revision = revision + 1 WHERE "userId" = $1 RETURNING 1`);

/** The same, if the data is as it was at revision `$2`. */
export const bumpRevisionFrom = statement(
  `UPDATE users SET revision = revision + 1 WHERE "userId" = $1 AND revision = $2::bigint RETURNING 1`,
);

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
    await wait(attempt * 10 * Math.random());
  }
}

const begin = statement("BEGIN");
const commit = statement("COMMIT");
const beginReading = statement("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");

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
