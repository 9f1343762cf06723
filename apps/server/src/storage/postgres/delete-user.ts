import type pg from "pg";
import type { Prisma } from "../generated/sqlite/client.js";
import { rowsOf, type Statement } from "./pool.js";
import { anyQuery, bucketQuery, bucketRows, ownerPrefix } from "./search-lexemes.js";
import { lockUser } from "./sync-statements.js";
import { transact, type Transaction } from "./transaction.js";
import type { UserTurns } from "./user-turns.js";

/** Contexts that one statement removes, well within its time. */
const sliceRows = 1_000;

/** Removes the user's oldest contexts, when there are as many as a slice. */
const deleteSlice: Statement = {
  name: "delete_slice",
  text: `DELETE FROM contexts WHERE "userId" = $1
    AND seq <= (SELECT seq FROM contexts WHERE "userId" = $1 ORDER BY seq OFFSET ${sliceRows - 1} LIMIT 1)`,
};

const readIndexed: Statement = {
  name: "read_indexed",
  text: `SELECT min(seq)::float8 AS oldest, max(seq)::float8 AS newest FROM search_vectors WHERE "userId" = $1`,
};

const deleteVectors: Statement = {
  name: "delete_vectors",
  text: `DELETE FROM search_vectors WHERE "userId" = $1 AND seq >= $2::bigint AND seq < $2::bigint + ${bucketRows}`,
};

const deleteTerms: Statement = {
  name: "delete_terms",
  text: `DELETE FROM search_terms WHERE "userId" = $1 AND terms::tsvector @@ $2::tsquery`,
};

const deleteCounts: Statement = { name: "delete_counts", text: `DELETE FROM context_counts WHERE "userId" = $1` };
const countChange: Statement = { name: "count_access_change", text: `UPDATE access_changes SET count = count + 1 WHERE id = 1` };

const revokeKeys: Statement = {
  name: "revoke_keys",
  text: `UPDATE api_keys SET "revokedAt" = now() WHERE "userId" = $1 AND "revokedAt" IS NULL`,
};

const deleteUses: Statement = { name: "delete_key_uses", text: `DELETE FROM key_uses WHERE "userId" = $1` };

/** Where a user's data is, and the turns of those who write it. */
interface UserData {
  pool: pg.Pool;
  turns: UserTurns;
  userId: string;
}

/**
 * Removes a user, in several transactions: whoever is interrupted gives the command again. The keys are revoked first, so that nobody works
 * on what is left; most contexts go then, and the rest with the user.
 * @param last the transaction that removes the user with all that is left; false when there was none
 */
export async function deleteInParts(data: UserData, last: () => Promise<boolean>): Promise<boolean> {
  await inTurn(data, async ({ send }) => {
    send(countChange, []);
    send(revokeKeys, [data.userId]);
    // What is left when this is interrupted is counted anew.
    send(deleteCounts, [data.userId]);
  });
  await deleteMostContexts(data);
  const found = await last();
  // A use that was written while the user went.
  await rowsOf(data.pool, deleteUses, [data.userId]);
  return found;
}

/** Runs a transaction of the user's own, beside none that writes for the same user; also when there is no such user. */
function inTurn<T>({ pool, turns, userId }: UserData, work: (transaction: Transaction) => Promise<T>): Promise<T> {
  return turns.take(userId, () => transact(pool, { statement: lockUser, values: [userId], check: () => {} }, work));
}

/**
 * Removes all but the last of a user's contexts, slice by slice: a million of them in one statement would run into its time limit, and
 * hold up all that is new to the database's vacuum. What is searched goes first: nothing is found that is gone.
 */
async function deleteMostContexts(data: UserData): Promise<void> {
  const { pool, userId } = data;
  const prefix = ownerPrefix(userId);
  const [{ oldest, newest } = { oldest: null, newest: null }] = await rowsOf<{ oldest: number | null; newest: number | null }>(
    pool,
    readIndexed,
    [userId],
  );
  if (oldest !== null && newest !== null)
    for (let bucket = Math.floor(oldest / bucketRows); bucket * bucketRows <= newest; bucket++) {
      await inTurn(data, async ({ send }) => {
        send(deleteTerms, [userId, bucketQuery(prefix, bucket)]);
        send(deleteVectors, [userId, bucket * bucketRows]);
      });
    }
  const slice = () => inTurn(data, async ({ connection }) => (await connection.query({ ...deleteSlice, values: [userId] })).rowCount ?? 0);
  while ((await slice()) > 0);
}

/** Removes what is left of a user in tables that this engine alone has, in the transaction that removes the user. */
export async function deleteBeside(tx: Prisma.TransactionClient, userId: string): Promise<void> {
  await tx.$executeRaw`DELETE FROM search_terms WHERE "userId" = ${userId} AND terms::tsvector @@ ${anyQuery(ownerPrefix(userId))}::tsquery`;
  await tx.$executeRaw`DELETE FROM search_vectors WHERE "userId" = ${userId}`;
  await tx.$executeRaw`DELETE FROM key_uses WHERE "userId" = ${userId}`;
  await tx.$executeRaw`DELETE FROM context_counts WHERE "userId" = ${userId}`;
}
