import type pg from "pg";
import { advisoryLocks } from "./pool.js";

/** Milliseconds of storing whose records one statement removes, so that it is short. */
const sliceMs = 60_000;

/** Drops replay records, tombstones and budgets stored before `before`, slice by slice, until none is left or `isClosing`. */
export async function prune(pool: pg.Pool, before: number, isClosing: () => boolean): Promise<void> {
  const connection = await pool.connect();
  try {
    const { rows } = await connection.query<{ mine: boolean }>(`SELECT pg_try_advisory_lock(${advisoryLocks.prune}) AS mine`);
    if (!rows[0]?.mine) return;
    try {
      await dropOld(connection, { table: "processed_messages", column: "processedAt", before, isClosing });
      await dropOld(connection, { table: "tombstones", column: "storedAt", before, isClosing });
      await connection.query(`DELETE FROM rate_windows WHERE "window" < $1`, [Math.floor(before / 60_000)]);
    } finally {
      await connection.query(`SELECT pg_advisory_unlock(${advisoryLocks.prune})`);
    }
  } finally {
    connection.release();
  }
}

interface Old {
  table: string;
  column: string;
  before: number;
  isClosing: () => boolean;
}

async function dropOld(connection: pg.PoolClient, { table, column, before, isClosing }: Old): Promise<void> {
  const oldest = `SELECT (extract(epoch FROM min("${column}")) * 1000)::float8 AS at FROM ${table}`;
  while (!isClosing()) {
    const { rows } = await connection.query<{ at: number | null }>(oldest);
    const at = rows[0]?.at ?? null;
    if (at === null || at >= before) return;
    const until = Math.min(at + sliceMs, before);
    await connection.query(`DELETE FROM ${table} WHERE "${column}" < to_timestamp($1::float8 / 1000)`, [until]);
  }
}
