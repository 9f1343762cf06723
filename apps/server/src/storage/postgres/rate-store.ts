import type pg from "pg";
import type { RateLease, RateStore } from "../../rates/rate.store.js";
import { rowsOf, type Statement } from "./pool.js";

// A row of an earlier window starts anew, and so does one that is minutes ahead; clocks of processes may differ by one.
const goesOn = `r."window" - $3::bigint IN (0, 1)`;
const part = (taken: string) => `least($4::bigint - ${taken}, greatest(1, ($4::bigint - ${taken}) / 10))`;

const lease: Statement = {
  name: "lease_rate",
  text: `INSERT INTO rate_windows AS r ("userId", budget, "window", taken, granted)
    VALUES ($1, $2, $3::bigint, ${part("0")}, ${part("0")})
    ON CONFLICT ("userId", budget) DO UPDATE SET
      "window" = CASE WHEN ${goesOn} THEN r."window" ELSE excluded."window" END,
      taken = CASE WHEN ${goesOn} THEN r.taken + greatest(0, ${part("r.taken")}) ELSE excluded.taken END,
      granted = CASE WHEN ${goesOn} THEN greatest(0, ${part("r.taken")}) ELSE excluded.granted END
    RETURNING taken::float8, granted::float8`,
};

/** Shared budgets: one row a user and budget, in a table that is not logged, since what is lost with a crash is a minute's count. */
export function createRateStore(pool: pg.Pool): RateStore {
  return {
    async lease({ subject, budget, limit, window }) {
      const [row] = await rowsOf<{ taken: number; granted: number }>(pool, lease, [subject, budget, window, limit]);
      if (!row) throw new Error("a lease without an answer");
      return row satisfies RateLease;
    },
  };
}
