import type pg from "pg";
import type { FairQueue } from "../../workers/fair-queue.js";
import type { PerUserQueue } from "../../workers/per-user-queue.js";
import type { Sql } from "../sql.js";
import { rowsOf, run, statement } from "./pool.js";

/** What this engine's SQL has of its own. */
export const dialect = {
  // The driver's own reading of times is slower and knows no year 0.
  millis: (time) => `(extract(epoch FROM ${time}) * 1000)::float8`,
  // Rounded as columns are: what is far from the year 2000 is else some microseconds off, and equals nothing that is stored.
  time: (value) => `to_timestamp(${value}::float8 / 1000)::timestamptz(3)`,
  isIn: (text, list) => `${text} = ANY (${list}::text[])`,
  list: (texts) => texts,
  records(json, columns) {
    const typed = Object.entries(columns).map(([name, type]) => `"${name}" ${type}`);
    return `jsonb_to_recordset(${json}::jsonb) AS r(${typed.join(", ")})`;
  },
  unindexed: (column) => column,
} satisfies Omit<Sql, "read" | "write">;

/** One look into an index. The one statement that is not of one user; it runs only when the key sees no such context. */
export const findForeign = 'SELECT 1 FROM contexts WHERE "contextId" = $1 AND "userId" <> $2 LIMIT 1';

interface SqlOptions {
  pool: pg.Pool;
  /** Of one user one write goes at a time. */
  queue: PerUserQueue;
  reads: FairQueue;
}

export function createSql({ pool, queue, reads }: SqlOptions): Sql {
  return {
    ...dialect,
    read: <Row>(userId: string, text: string, values: readonly unknown[]) =>
      reads.run(userId, () => rowsOf<Row & pg.QueryResultRow>(pool, statement(text), values)),
    write: (userId, text, values) => queue.run(userId, async () => (await run(pool, [statement(text), values])).rowCount ?? 0),
  };
}
