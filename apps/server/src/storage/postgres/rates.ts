import type pg from "pg";
import { minuteOf, type RateStore, toRateCount } from "../../rates/rate-limiter.js";
import { type Connection, rowsOf, run, statement } from "./pool.js";

// One clock counts for all processes, the database's; the last value stands in for it in tests. It is answered from a column: a cluster
// runs no function in RETURNING, and of its machines only the coordinator's clock counts.
const clock = (value: string) => `coalesce(${value}::float8, extract(epoch FROM now())::float8 * 1000)`;
// Keep counting in the stored minute if it is this one or the next, which a request that waited may find; otherwise start again at 1.
const isSameWindow = `r."window" - excluded."window" IN (0, 1)`;

const takeOne = statement(`INSERT INTO rate_windows AS r ("userId", budget, "window", used, at)
    VALUES ($1, $2, floor(${clock("$4")} / 60000)::bigint, 1, ${clock("$4")})
    ON CONFLICT ("userId", budget) DO UPDATE SET
      "window" = CASE WHEN ${isSameWindow} THEN r."window" ELSE excluded."window" END,
      used = CASE WHEN ${isSameWindow} THEN least(r.used, $3::bigint) + 1 ELSE 1 END, at = excluded.at
    RETURNING used::float8, "window"::float8, at`);

const readBudgets = statement(
  `SELECT budget, used::float8, "window"::float8 FROM rate_windows WHERE "userId" = $1 AND budget = ANY ($2::text[])`,
);

const readClock = statement(`SELECT ${clock("$1")} AS at`);

const pruneWindows = statement(`DELETE FROM rate_windows WHERE "window" < $1::bigint`);
/** Budgets are kept this many minutes longer than they count, for servers whose requests waited. */
const keptMinutes = 5;

async function readNow(connection: pg.Pool | Connection, testClock: () => number | undefined): Promise<number> {
  const [row] = await rowsOf<{ at: number }>(connection, readClock, [testClock() ?? null]);
  if (!row) throw new Error("The database's clock has no row.");
  return row.at;
}

/**
 * Shared budgets: a row for each subject and budget, in a table that is not logged, since a crash loses a minute's count only.
 * @param testClock tells the time in the database's place, where it tells one
 */
export function createRateStore(pool: pg.Pool, testClock: () => number | undefined): RateStore {
  return {
    async take(subject, budget, limit) {
      const values = [subject, budget, limit, testClock() ?? null];
      const [row] = await rowsOf<{ used: number; window: number; at: number }>(pool, takeOne, values);
      if (!row) throw new Error("The rate budget has no row.");
      return toRateCount(row.used, row.window, row.at);
    },

    async peek(subject, budgets) {
      const [rows, at] = await Promise.all([
        rowsOf<{ budget: string; used: number; window: number }>(pool, readBudgets, [subject, budgets]),
        readNow(pool, testClock),
      ]);
      const current = minuteOf(at);
      const used = new Map(rows.filter(({ window }) => window === current).map((row) => [row.budget, row.used]));
      return new Map(budgets.map((budget) => [budget, toRateCount(used.get(budget) ?? 0, current, at)]));
    },
  };
}

/**
 * Drops budgets of past minutes, by the clock that counts them: some of their rows stand for addresses and for people who are erased. The
 * clock is read beforehand, since a cluster takes none within coalesce in the condition of a DELETE.
 */
export async function dropPastBudgets(connection: Connection, testClock: () => number | undefined): Promise<void> {
  const minute = minuteOf(await readNow(connection, testClock));
  await run(connection, [pruneWindows, [minute - keptMinutes]]);
}
