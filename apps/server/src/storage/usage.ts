import type { UsageCount, UsageStore } from "../usage/usage.store.js";
import type { Sql } from "./sql.js";

export function createUsageStore(sql: Sql): UsageStore {
  const counts = sql.records("$2", { day: "int", keyId: "text", kind: "text", requests: "int", refused: "int" });
  // In one order, so that processes do not wait for each other in a circle.
  const add = `INSERT INTO usage_by_day AS d ("userId", day, "keyId", kind, requests, refused)
    SELECT u."userId", r.day, r."keyId", r.kind, r.requests, r.refused FROM users u, ${counts}
    WHERE u."userId" = $1 ORDER BY r.day, r."keyId", r.kind
    ON CONFLICT ("userId", day, "keyId", kind) DO UPDATE SET
      requests = d.requests + excluded.requests, refused = d.refused + excluded.refused`;
  return {
    add: async (userId, added) => void (await sql.write(userId, add, [userId, JSON.stringify(added)])),
    read: (userId, sinceDay) =>
      sql.read<UsageCount>(userId, `SELECT day, "keyId", kind, requests, refused FROM usage_by_day WHERE "userId" = $1 AND day >= $2`, [
        userId,
        sinceDay,
      ]),
    prune: async (beforeDay) => void (await sql.write("", "DELETE FROM usage_by_day WHERE day < $1", [beforeDay])),
  };
}
