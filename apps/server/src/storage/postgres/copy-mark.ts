import type pg from "pg";
import type { CopyMark } from "../copy/copy-ends.js";
import { HalfCopied, markTable, readMark } from "../copy/half-copied.js";

/** The mark of a copy that has not come to its end. */
export async function markOf(connection: pg.Pool | pg.Client): Promise<CopyMark | undefined> {
  const { rows: found } = await connection.query<{ there: boolean }>("SELECT to_regclass($1) IS NOT NULL AS there", [markTable]);
  if (!found[0]?.there) return undefined;
  const { rows } = await connection.query<{ mark: string }>(`SELECT mark FROM ${markTable}`);
  return rows[0] && readMark(rows[0].mark);
}

/** Throws {@link HalfCopied} when the database is a copy that has not come to its end. */
export async function refuseHalfCopied(connection: pg.Pool): Promise<void> {
  const mark = await markOf(connection);
  if (mark) throw new HalfCopied(mark);
}
