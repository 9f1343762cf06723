import type pg from "pg";
import type { AccessStore, DeleteUserOptions } from "../../access/access.store.js";
import { createAccessStore, type PrismaWrite } from "../access.prisma-store.js";
import { createAccessReads, hasAnybody } from "../access-reads.js";
import type { Sql } from "../sql.js";
import type { Prisma, PrismaClient } from "../generated/sqlite/client.js";
import { millis } from "./context-statements.js";
import { advisoryLocks, type Query, rowsOf, run, type Statement, statement, bumpRevision, writeTransaction } from "./pool.js";
import { anyTerm } from "../../search/index-terms.js";
import type { PerUserQueue } from "../../workers/per-user-queue.js";
import { readRange } from "./search-index.js";
import { bucketQuery, bucketRows, ownerPrefix, toQuery } from "./search-lexemes.js";

/** Without effect when the user is gone, and when another process wrote in the last minute. */
const touch = statement(`INSERT INTO key_uses AS u ("userId", "keyId", "lastUsedAt")
    SELECT "userId", $2, to_timestamp($3::float8 / 1000) FROM users WHERE "userId" = $1
    ON CONFLICT ("userId", "keyId") DO UPDATE SET "lastUsedAt" = excluded."lastUsedAt"
      WHERE excluded."lastUsedAt" - u."lastUsedAt" >= interval '1 minute'`);

const usesOfAll = statement(`SELECT "keyId", ${millis("lastUsedAt")} FROM key_uses`);
const usesOfUser = statement(`${usesOfAll.text} WHERE "userId" = $1`);

interface Access {
  pool: pg.Pool;
  prisma: PrismaClient;
  write: PrismaWrite;
  queue: PerUserQueue;
  sql: Sql;
}

/** Users and keys. Here the last use of a key has a table of its own, and what a user has is removed in slices. */
export function createPostgresAccess({ pool, prisma, write, queue, sql }: Access): AccessStore {
  const shared = createAccessStore(prisma, write, {
    hasAnybody: () => hasAnybody(sql),
    onUserDeleted: deleteBeside,
    lockFirstKey: (tx) => tx.$queryRaw`SELECT pg_advisory_xact_lock(${advisoryLocks.firstKey})::text`,
  });
  return {
    ...shared,
    ...createAccessReads(sql),
    deleteUser: (userId, how = {}) => deleteInSlices({ pool, queue, userId, ...how }, () => shared.deleteUser(userId)),

    async touchKey({ userId, keyId }, at) {
      await run(pool, [touch, [userId, keyId, at]]);
    },

    async listKeys(userId) {
      const keys = await shared.listKeys(userId);
      const [statement, values] = userId === undefined ? [usesOfAll, []] : [usesOfUser, [userId]];
      const uses = await rowsOf<{ keyId: string; lastUsedAt: number }>(pool, statement, values);
      const lastUses = new Map(uses.map(({ keyId, lastUsedAt }) => [keyId, lastUsedAt]));
      return keys.map((record) => ({ ...record, lastUsedAt: lastUses.get(record.keyId) ?? record.lastUsedAt }));
    },
  };
}

/** Rows that one statement removes, well within its time. */
const sliceRows = 1_000;

/** Removes the first of the user's rows by the columns of an index, when there are as many as a slice. */
const deleteSlice = (table: string, columns: string) =>
  statement(`DELETE FROM ${table} WHERE "userId" = $1
    AND (${columns}) <= (SELECT ${columns} FROM ${table} WHERE "userId" = $1 ORDER BY ${columns} OFFSET ${sliceRows - 1} LIMIT 1)`);

const deleteContexts = deleteSlice("contexts", "seq");
const deleteRecords = [deleteSlice("processed_messages", `"extensionId", "messageId"`), deleteSlice("tombstones", `"contextId"`)];

const deleteTerms = statement(`DELETE FROM search_terms WHERE "userId" = $1 AND terms @@ $2::tsquery`);

const deleteUses = statement(`DELETE FROM key_uses WHERE "userId" = $1`);
const deleteUsage = statement(`DELETE FROM usage_by_day WHERE "userId" = $1`);

/**
 * Removes a user in several transactions; after an interruption the command is given again. Most contexts, replay records and
 * tombstones go first, and the rest with the user.
 * @param last the transaction that removes the user with all that is left; false when there was none
 */
async function deleteInSlices(
  { pool, queue, userId, onDeleted }: DeleteUserOptions & { pool: pg.Pool; queue: PerUserQueue; userId: string },
  last: () => Promise<boolean>,
): Promise<boolean> {
  const write = async (...writes: Query[]) =>
    (await queue.run(userId, () => writeTransaction(pool, [bumpRevision, [userId]], writes))) ?? [];
  const [range] = await rowsOf<{ oldest: number | null; newest: number | null }>(pool, readRange, [userId]);
  const { oldest, newest } = range ?? { oldest: null, newest: null };
  // A million rows in one statement would run into its time limit, and keep new rows of others from being vacuumed. The index goes first:
  // nothing is found that is gone.
  if (oldest !== null && newest !== null)
    for (let bucket = Math.floor(oldest / bucketRows); bucket * bucketRows <= newest; bucket++) {
      await write([deleteTerms, [userId, bucketQuery(ownerPrefix(userId), bucket)]]);
      onDeleted?.(0);
    }
  const writeSlice = async (slice: Statement) => (await write([slice, [userId]]))[0]?.rowCount ?? 0;
  let contexts = 0;
  for (let deleted; (deleted = await writeSlice(deleteContexts)) > 0;) onDeleted?.((contexts += deleted));
  for (const slice of deleteRecords) while ((await writeSlice(slice)) > 0) onDeleted?.(contexts);
  const found = await queue.run(userId, last);
  // What was written while the user went.
  await rowsOf(pool, deleteUses, [userId]);
  await rowsOf(pool, deleteUsage, [userId]);
  return found;
}

/** Removes what is left of a user in tables that this engine alone has, in the transaction that removes the user. */
async function deleteBeside(tx: Prisma.TransactionClient, userId: string): Promise<void> {
  await tx.$executeRaw`DELETE FROM search_terms WHERE "userId" = ${userId} AND terms @@ ${toQuery(ownerPrefix(userId), anyTerm)}::tsquery`;
  await tx.$executeRaw`DELETE FROM key_uses WHERE "userId" = ${userId}`;
  await tx.$executeRaw`DELETE FROM live_changes WHERE "userId" = ${userId}`;
  await tx.$executeRaw`DELETE FROM live_tickets WHERE "userId" = ${userId}`;
}
