import type pg from "pg";
import { millis } from "./context-columns.js";
import { takeFromCounts } from "./context-counts.js";
import { rowsOf, type Statement } from "./pool.js";
import { removals } from "./search-index.js";
import { lockOf } from "./sync-store.js";
import { deleteContexts, writeTombstones } from "./sync-statements.js";
import { transact, type Transaction } from "./transaction.js";

const written: Statement = {
  name: "read_written_at",
  text: `SELECT ${millis("writtenAt")} FROM contexts WHERE "userId" = $1 AND "contextId" = $2`,
};

/** One row when any user has the context. The one statement that is not of one user; it runs only when the user has no such context. */
const ofAnyUser: Statement = {
  name: "context_of_any_user",
  text: `SELECT 1 FROM contexts WHERE "contextId" = $1 LIMIT 1`,
};

/** Removes a user's context and leaves a tombstone newer than what it removes, so that no replay brings it back. */
export async function removeContext(
  pool: pg.Pool,
  { userId, contextId }: { userId: string; contextId: string },
  at: number,
): Promise<"removed" | "missing" | "foreign"> {
  if (await transact(pool, lockOf(userId), (transaction) => removeStored(transaction, { userId, contextId }, at))) return "removed";
  const found = await rowsOf(pool, ofAnyUser, [contextId]);
  return found.length > 0 ? "foreign" : "missing";
}

/** The same in a transaction that has the user's lock; false when the user has no such context. */
export async function removeStored(
  { connection, send }: Transaction,
  { userId, contextId }: { userId: string; contextId: string },
  at: number,
): Promise<boolean> {
  const [stored] = await rowsOf<{ writtenAt: number }>(connection, written, [userId, contextId]);
  if (!stored) return false;
  send(takeFromCounts, [userId, [contextId]]);
  for (const [statement, values] of removals(userId, [contextId])) send(statement, values);
  send(deleteContexts, [userId, [contextId]]);
  // A message of the tombstone's own time is newer than it: one of the time that wrote the context must not be.
  send(writeTombstones, [userId, [contextId], [Math.max(at, stored.writtenAt + 1)], at]);
  return true;
}
