import type pg from "pg";
import type { RateClock, RateCount, RateStore } from "../../rates/rate.store.js";
import { rowsOf, type Statement } from "./pool.js";

// One clock counts for all processes, the database's; `$3` replaces it in tests.
const nowMs = "coalesce($3::float8, extract(epoch FROM now())::float8 * 1000)";
// A row of an earlier minute starts anew, as does one that is minutes ahead. One ahead by one was written while this waited for it.
const goesOn = `r."window" - excluded."window" IN (0, 1)`;

const take: Statement = {
  name: "take_rate",
  text: `INSERT INTO rate_windows AS r ("userId", budget, "window", at, taken, granted)
    VALUES ($1, $2, floor(${nowMs} / 60000)::bigint, ${nowMs}, 1, 0)
    ON CONFLICT ("userId", budget) DO UPDATE SET
      "window" = CASE WHEN ${goesOn} THEN r."window" ELSE excluded."window" END, at = excluded.at,
      taken = CASE WHEN ${goesOn} THEN least(r.taken + 1, $4::bigint + 1) ELSE 1 END
    RETURNING r.budget, taken::float8 AS used, "window"::float8, at`,
};

const peek: Statement = {
  name: "peek_rates",
  text: `SELECT wanted.budget, wanted."window"::float8, wanted.at, CASE WHEN r."window" - wanted."window" IN (0, 1) THEN r.taken ELSE 0 END::float8 AS used
    FROM (SELECT unnest($2::text[]) AS budget, floor(${nowMs} / 60000)::bigint AS "window", ${nowMs} AS at) wanted
    LEFT JOIN rate_windows r ON r."userId" = $1 AND r.budget = wanted.budget`,
};

interface Row {
  budget: string;
  used: number;
  window: number;
  at: number;
}

const toCount = ({ used, window, at }: Row): RateCount => {
  const end = (window + 1) * 60_000;
  return { used, resetAt: end / 1000, resetInMs: end - at };
};

/** Budgets that processes share: one row for each user and budget, in an unlogged table, since a crash loses a minute's count at most. */
export function createRateStore(pool: pg.Pool, clock: RateClock): RateStore {
  return {
    async take(subject, budget, limit) {
      const [row] = await rowsOf<Row>(pool, take, [subject, budget, clock() ?? null, limit]);
      if (!row) throw new Error("the rate statement returned no row");
      return toCount(row);
    },
    async peek(subject, budgets) {
      const rows = await rowsOf<Row>(pool, peek, [subject, budgets, clock() ?? null]);
      return new Map(rows.map((row) => [row.budget, toCount(row)]));
    },
  };
}
