import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import type { Connection, Statement } from "./pool.js";
import { isConflict } from "./database-gone.js";

/** A transaction as its work sees it. */
export interface Transaction {
  connection: Connection;
  /** Sends a statement whose result nobody needs, without waiting; when it fails, so does the transaction. */
  send(statement: Statement, values: readonly unknown[]): void;
}

const attemptsMax = 4;

/**
 * Runs `work` between BEGIN and COMMIT, after `first`, of which the rows are given to `check`. All go out without waiting for each
 * other: what `work` asks for first travels with them. Work that met a deadlock is run again.
 */
export async function transact<T>(
  pool: pg.Pool,
  first: { statement: Statement; values: readonly unknown[]; check: (found: boolean) => void },
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptOnce(pool, first, work);
    } catch (error) {
      if (!isConflict(error) || attempt === attemptsMax) throw error;
      await pause(attempt * 10 * Math.random());
    }
  }
}

async function attemptOnce<T>(pool: pg.Pool, first: Parameters<typeof transact>[1], work: (tx: Transaction) => Promise<T>): Promise<T> {
  const connection = await pool.connect();
  const sent: Array<Promise<unknown>> = [];
  const send = (query: pg.QueryConfig | string) => {
    const result = connection.query(query);
    // Looked at in its turn below; until then its failure is nobody's.
    result.catch(() => {});
    sent.push(result);
    return result;
  };
  try {
    void send("BEGIN");
    const opened = send({ ...first.statement, values: [...first.values] });
    const value = await work({ connection, send: (statement, values) => void send({ ...statement, values: [...values] }) });
    first.check((await opened).rows.length > 0);
    const commit = send("COMMIT");
    await Promise.all(sent);
    // A COMMIT of what has failed is answered too, as a ROLLBACK.
    if ((await commit).command !== "COMMIT") throw new Error("the transaction was rolled back");
    connection.release();
    return value;
  } catch (error) {
    const settled = await Promise.allSettled(sent);
    await connection.query("ROLLBACK").then(
      () => connection.release(),
      (broken: Error) => connection.release(broken),
    );
    // What failed first is why all after it failed.
    throw settled.find((result) => result.status === "rejected")?.reason ?? error;
  }
}
