import { expect, it } from "vitest";
import { isOfTheService } from "./one-user-statements.js";

it.each([
  `SELECT * FROM contexts WHERE "contextId" = $1`,
  `SELECT * FROM contexts WHERE "userId" = $1 AND seq IN (SELECT seq FROM search_terms)`,
  `DELETE FROM search_terms t USING contexts c WHERE c."userId" = $1 AND t.seq = c.seq`,
  `INSERT INTO tombstones ("userId", "contextId") VALUES ($1, $2), ($3, $4)`,
  `INSERT INTO tombstones ("userId", "contextId") SELECT $1, r."contextId" FROM unnest($2::text[]) AS r("contextId")`,
  `UPDATE "public"."users" SET "createdAt" = $1 WHERE 1=1`,
])("the check reports a statement that is not of one user: %s", (sql) => {
  expect(isOfTheService(sql)).toBe(false);
});

it("the check reports a function in RETURNING, which a cluster refuses", () => {
  const sql = (returned: string) => `DELETE FROM live_tickets WHERE "userId" = $1 RETURNING ${returned}`;
  expect([`"expiresAt", used::float8`, `extract(epoch FROM "expiresAt")`].map((returned) => isOfTheService(sql(returned)))).toEqual([
    true,
    false,
  ]);
});

it("the check reports a clock within coalesce in a condition, which a cluster refuses", () => {
  const sql = (minute: string) => `DELETE FROM rate_windows WHERE "window" < ${minute}`;
  expect(["$1::bigint", "coalesce($1, extract(epoch FROM now()) / 60)"].map((minute) => isOfTheService(sql(minute)))).toEqual([
    true,
    false,
  ]);
});
