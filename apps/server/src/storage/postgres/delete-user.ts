import type pg from "pg";
import type { Statement } from "./pool.js";

/** Contexts that one statement removes, well within its time. */
const sliceRows = 1_000;

/** Removes the user's oldest contexts, when there are as many as a slice. */
const deleteSlice: Statement = {
  name: "delete_slice",
  text: `DELETE FROM contexts WHERE "userId" = $1
    AND seq <= (SELECT seq FROM contexts WHERE "userId" = $1 ORDER BY seq OFFSET ${sliceRows - 1} LIMIT 1)`,
};

/**
 * Removes all but the last of a user's contexts, slice by slice: a million of them in one statement would run into its time limit, and
 * hold up all that is new to the database's vacuum.
 */
export async function deleteMostContexts(pool: pg.Pool, userId: string): Promise<void> {
  while (((await pool.query({ ...deleteSlice, values: [userId] })).rowCount ?? 0) > 0);
}
