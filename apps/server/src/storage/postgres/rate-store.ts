import type pg from "pg";
import type { RateClock, RateStore } from "../../rates/rate.store.js";
import { rowsOf, type Statement } from "./pool.js";

// Of all processes one clock counts, the database's; `$4` stands in for it in tests. It is told by a column: a cluster runs no function
// in RETURNING, and of its machines only the coordinator's clock counts.
const now = "coalesce($4::float8, extract(epoch FROM now())::float8 * 1000)";
// A row of an earlier window starts anew, and so does one that is minutes ahead; one ahead by one was written while this waited for it.
const goesOn = `r."window" - excluded."window" IN (0, 1)`;
const part = (taken: string) => `least($3::bigint - ${taken}, greatest(1, ($3::bigint - ${taken}) / 10))`;

const lease: Statement = {
  name: "lease_rate",
  text: `INSERT INTO rate_windows AS r ("userId", budget, "window", at, taken, granted)
    VALUES ($1, $2, floor(${now} / 60000)::bigint, ${now}, ${part("0")}, ${part("0")})
    ON CONFLICT ("userId", budget) DO UPDATE SET
      "window" = CASE WHEN ${goesOn} THEN r."window" ELSE excluded."window" END, at = excluded.at,
      taken = CASE WHEN ${goesOn} THEN r.taken + greatest(0, ${part("r.taken")}) ELSE excluded.taken END,
      granted = CASE WHEN ${goesOn} THEN greatest(0, ${part("r.taken")}) ELSE excluded.granted END
    RETURNING taken::float8, granted::float8, "window"::float8, at`,
};

/**
 * Shared budgets: one row a user and budget, in a table that is not logged, since what is lost with a crash is a minute's count.
 * @param clock says the time in the database's place, where it says one
 */
export function createRateStore(pool: pg.Pool, clock: RateClock): RateStore {
  return {
    async lease({ subject, budget, limit }) {
      const values = [subject, budget, limit, clock() ?? null];
      const [row] = await rowsOf<{ taken: number; granted: number; window: number; at: number }>(pool, lease, values);
      if (!row) throw new Error("a lease without an answer");
      const { at, ...given } = row;
      return { ...given, endsInMs: (row.window + 1) * 60_000 - at };
    },
  };
}
