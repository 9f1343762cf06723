import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import { advisoryLocks } from "./locks.js";

const lockRetryMs = 100;

/**
 * Runs what changes tables, while no other process does.
 * The lock is asked for again and again: a session that waits for it inside a statement would keep an index from being finished.
 */
export async function locked<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  for (;;) {
    const { rows } = await client.query<{ mine: boolean }>(`SELECT pg_try_advisory_lock(${advisoryLocks.migration}) AS mine`);
    if (rows[0]?.mine) break;
    await pause(lockRetryMs);
  }
  try {
    return await work();
  } finally {
    await client.query(`SELECT pg_advisory_unlock(${advisoryLocks.migration})`).catch(() => {});
  }
}
