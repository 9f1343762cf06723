import type pg from "pg";
import { anyTerm } from "../../search/index-terms.js";
import type { Prisma } from "../generated/sqlite/client.js";
import { type Query, rowsOf, type Statement } from "./pool.js";
import { readRange } from "./search-index.js";
import { bucketQuery, bucketRows, ownerPrefix, toQuery } from "./search-lexemes.js";
import { bumpRevision, type PerUserQueue, writeTransaction } from "./transaction.js";

/** Contexts that one statement removes, well within its time. */
const sliceRows = 1_000;

/** Removes the user's oldest contexts, when there are as many as a slice. */
const deleteSlice: Statement = {
  name: "delete_slice",
  text: `DELETE FROM contexts WHERE "userId" = $1
    AND seq <= (SELECT seq FROM contexts WHERE "userId" = $1 ORDER BY seq OFFSET ${sliceRows - 1} LIMIT 1)`,
};

const deleteTerms: Statement = {
  name: "delete_terms",
  text: `DELETE FROM search_terms WHERE "userId" = $1 AND terms @@ $2::tsquery`,
};

const countChange: Statement = { name: "count_access_change", text: `UPDATE access_changes SET count = count + 1 WHERE id = 1` };

const revokeKeys: Statement = {
  name: "revoke_keys",
  text: `UPDATE api_keys SET "revokedAt" = now() WHERE "userId" = $1 AND "revokedAt" IS NULL`,
};

const deleteUses: Statement = { name: "delete_key_uses", text: `DELETE FROM key_uses WHERE "userId" = $1` };

/**
 * Removes a user in several transactions; after an interruption the command is given again. The keys are revoked first, so that nobody
 * works on what is left. Most contexts go then, and the rest with the user.
 * @param last the transaction that removes the user with all that is left; false when there was none
 */
export async function deleteInSlices(
  { pool, queue, userId }: { pool: pg.Pool; queue: PerUserQueue; userId: string },
  last: () => Promise<boolean>,
): Promise<boolean> {
  const write = async (...writes: Query[]) =>
    (await queue.run(userId, () => writeTransaction(pool, [bumpRevision, [userId]], writes))) ?? [];
  await write([countChange, []], [revokeKeys, [userId]]);
  const [range] = await rowsOf<{ oldest: number | null; newest: number | null }>(pool, readRange, [userId]);
  const { oldest, newest } = range ?? { oldest: null, newest: null };
  // A million rows in one statement would run into its time limit, and keep new rows of others from being vacuumed. The index goes first:
  // nothing is found that is gone.
  if (oldest !== null && newest !== null)
    for (let bucket = Math.floor(oldest / bucketRows); bucket * bucketRows <= newest; bucket++)
      await write([deleteTerms, [userId, bucketQuery(ownerPrefix(userId), bucket)]]);
  while ((await write([deleteSlice, [userId]]))[0]?.rowCount);
  const found = await queue.run(userId, last);
  // A use that was written while the user went.
  await rowsOf(pool, deleteUses, [userId]);
  return found;
}

/** Removes what is left of a user in tables that this engine alone has, in the transaction that removes the user. */
export async function deleteBeside(tx: Prisma.TransactionClient, userId: string): Promise<void> {
  await tx.$executeRaw`DELETE FROM search_terms WHERE "userId" = ${userId} AND terms @@ ${toQuery(ownerPrefix(userId), anyTerm)}::tsquery`;
  await tx.$executeRaw`DELETE FROM key_uses WHERE "userId" = ${userId}`;
}
