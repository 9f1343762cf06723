import type pg from "pg";
import type { UsageCount, UsageStore } from "../../usage/usage.store.js";
import { rowsOf, statement } from "./pool.js";

const add = statement(`INSERT INTO usage_by_day AS d ("userId", day, "keyId", kind, requests, refused)
    SELECT u."userId", r.day, r."keyId", r.kind, r.requests, r.refused
    FROM users u, unnest($2::int[], $3::text[], $4::text[], $5::int[], $6::int[]) AS r(day, "keyId", kind, requests, refused)
    WHERE u."userId" = $1 ORDER BY r.day, r."keyId", r.kind
    ON CONFLICT ("userId", day, "keyId", kind) DO UPDATE SET
      requests = d.requests + excluded.requests, refused = d.refused + excluded.refused`);
const read = statement(`SELECT day, "keyId", kind, requests, refused FROM usage_by_day WHERE "userId" = $1 AND day >= $2::int`);
const prune = statement(`DELETE FROM usage_by_day WHERE day < $1::int`);

/** What keys were used for, by day. Rows are written in one order, so that processes do not wait for each other in a circle. */
export function createUsageStore(pool: pg.Pool): UsageStore {
  return {
    async add(userId, counts) {
      const columns = (["day", "keyId", "kind", "requests", "refused"] as const).map((name) => counts.map((count) => count[name]));
      await rowsOf(pool, add, [userId, ...columns]);
    },
    read: (userId, sinceDay) => rowsOf<UsageCount>(pool, read, [userId, sinceDay]),
    async prune(beforeDay) {
      await rowsOf(pool, prune, [beforeDay]);
    },
  };
}
