import { expect } from "vitest";
import { citusWorkers } from "../../../test/citus-workers.js";
import { withPostgresStorage as it } from "../../../test/postgres-storage.js";
import { writtenContext } from "../../../test/written-context.js";

it("removes a user with more contexts than one statement takes, and nobody else", async ({ one }) => {
  const many = (userId: string, count: number) => Array.from({ length: count }, (_, index) => writtenContext(userId, `c${index}`));
  await one.write("ada", { created: many("ada", 2_500) });
  await one.write("grace", { created: many("grace", 3) });
  expect(await one.storage.access.deleteUser("ada")).toBe(true);
  for (const table of ["users", "contexts", "search_terms"])
    expect(await one.database.rows(`SELECT DISTINCT "userId" FROM ${table}`)).toEqual([{ userId: "grace" }]);
  expect(await one.storage.access.deleteUser("ada")).toBe(false);
});

it("revokes the keys first, so that an interrupted deletion leaves nobody at work", async ({ one }) => {
  const key = { keyId: "k", userId: "ada", name: "", hash: "h", scopes: [], maxPrivacyLevel: "restricted", createdAt: 1 } as const;
  await one.storage.access.createKey({ ...key, expiresAt: null, lastUsedAt: null, revokedAt: null, scopes: ["read"] });
  await one.storage.access.touchKey(key, 2);
  await one.write("ada", { created: [writtenContext("ada", "c")] });
  // No trigger: tables that are spread over machines have none.
  await one.database.rows(`CREATE TABLE holds ("userId" TEXT COLLATE "C", "contextId" TEXT COLLATE "C")`);
  if (citusWorkers > 0) await one.database.rows("SELECT create_distributed_table('holds', 'userId', colocate_with => 'users')");
  await one.database.rows(
    `ALTER TABLE holds ADD CONSTRAINT held FOREIGN KEY ("userId", "contextId") REFERENCES contexts ("userId", "contextId")`,
  );
  await one.database.rows(`INSERT INTO holds SELECT "userId", "contextId" FROM contexts`);
  await expect(one.storage.access.deleteUser("ada")).rejects.toThrow("Foreign key constraint violated");
  expect((await one.storage.access.findKey("k"))?.revokedAt).not.toBeNull();
  await one.database.rows("DROP TABLE holds");
  expect(await one.storage.access.deleteUser("ada")).toBe(true);
  for (const table of ["users", "api_keys", "key_uses", "contexts", "search_terms", "live_changes"])
    expect(await one.database.rows(`SELECT 1 FROM ${table}`)).toEqual([]);
});
