import type pg from "pg";
import type { Prisma } from "../generated/sqlite/client.js";
import { rowsOf, type Statement } from "./pool.js";
import { anyQuery, bucketQuery, bucketRows, ownerPrefix } from "./search-lexemes.js";

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

/**
 * Removes all but the last of a user's contexts, slice by slice: a million of them in one statement would run into its time limit, and
 * hold up all that is new to the database's vacuum. What is searched goes first: nothing is found that is gone.
 */
export async function deleteMostContexts(pool: pg.Pool, userId: string): Promise<void> {
  const prefix = ownerPrefix(userId);
  const [{ oldest, newest } = { oldest: null, newest: null }] = await rowsOf<{ oldest: number | null; newest: number | null }>(
    pool,
    readIndexed,
    [userId],
  );
  if (oldest !== null && newest !== null)
    for (let bucket = Math.floor(oldest / bucketRows); bucket * bucketRows <= newest; bucket++) {
      await pool.query({ ...deleteTerms, values: [userId, bucketQuery(prefix, bucket)] });
      await pool.query({ ...deleteVectors, values: [userId, bucket * bucketRows] });
    }
  while (((await pool.query({ ...deleteSlice, values: [userId] })).rowCount ?? 0) > 0);
}

/** Removes what is left of a user in tables that this engine alone has, in the transaction that removes the user. */
export async function deleteBeside(tx: Prisma.TransactionClient, userId: string): Promise<void> {
  await tx.$executeRaw`DELETE FROM search_terms WHERE "userId" = ${userId} AND terms::tsvector @@ ${anyQuery(ownerPrefix(userId))}::tsquery`;
  await tx.$executeRaw`DELETE FROM search_vectors WHERE "userId" = ${userId}`;
  await tx.$executeRaw`DELETE FROM key_uses WHERE "userId" = ${userId}`;
}
