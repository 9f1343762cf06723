import type pg from "pg";
import { expect, vi } from "vitest";
import { type PostgresStorage, withPostgresStorage as it } from "../../../test/postgres-storage.js";
import { writtenContext } from "../../../test/written-context.js";
import { FairQueue } from "../../workers/fair-queue.js";
import { PerUserQueue } from "../../workers/per-user-queue.js";
import { createContextStore } from "../contexts.js";
import { openPool } from "./pool.js";
import { createSql, findForeign } from "./sql.js";

/** A store over a pool that keeps the statements it runs outside transactions, and their plans. */
function watching({ database }: PostgresStorage) {
  const asked: pg.QueryConfig[] = [];
  const pool = openPool(database.url, { connectionsMax: 2, statementTimeoutMs: 60_000 });
  const watched = new Proxy(pool, {
    get: (target, key) => (key === "query" ? (each: pg.QueryConfig) => (asked.push(each), target.query(each)) : Reflect.get(target, key)),
  });
  const explain = async ({ text, values = [] }: pg.QueryConfig) => JSON.stringify(await database.rows(`EXPLAIN ${text}`, ...values));
  return {
    store: createContextStore(createSql({ pool: watched, queue: new PerUserQueue(), reads: new FairQueue(2) }), findForeign),
    plans: () => Promise.all(asked.splice(0).map(explain)),
    [Symbol.asyncDispose]: () => pool.end(),
  };
}

const columns = `type, "tabId", "extensionId", "privacyLevel", "levelReasons", "writtenAt", "contentFormat", url, title, "tabMetadata", metadata, content`;

it("reads the current context and pages of history in the order of an index", async ({ one }) => {
  await one.write("ada", { created: [writtenContext("ada", "c", { viewedAt: 1_000, title: "x".repeat(1_000) })] });
  await one.database.rows(
    `INSERT INTO contexts ("userId", "contextId", seq, "capturedAt", "viewedAt", ${columns})
     SELECT "userId", 'c' || n, 1 + n, "capturedAt" - n * interval '1 minute', "viewedAt" - n * interval '1 minute', ${columns}
     FROM contexts, generate_series(1, 2500) n`,
  );
  // As many that are newer, and above the key's level.
  await one.database.rows(
    `INSERT INTO contexts ("userId", "contextId", seq, "capturedAt", "viewedAt", ${columns})
     SELECT "userId", 'h' || n, 2501 + n, "capturedAt" + n * interval '1 minute', "viewedAt" + n * interval '1 minute',
       ${columns.replace('"privacyLevel"', "'restricted'")} FROM contexts, generate_series(1, 2500) n WHERE seq = 1`,
  );
  // A transaction that is still open, such as that of the autovacuum, keeps pages from being marked as visible to all.
  await vi.waitFor(async () => {
    await one.database.rows("VACUUM ANALYZE contexts");
    const sql = "SELECT 1 FROM pg_class WHERE oid = 'contexts'::regclass AND relallvisible < relpages";
    expect(await one.database.rows(sql)).toEqual([]);
  }, 60_000);
  await using watched = watching(one);
  const { store, plans } = watched;
  const scope = { userId: "ada", maxPrivacyLevel: "private" as const };
  expect((await store.current(scope, {}))?.contextId).toBe("c");
  await store.current(scope, { tabId: "t" });
  await store.current(scope, { extensionId: "e" });
  const current = await plans();
  expect(current.filter((plan) => !/Index Cond: [^,]*privacyLevel[^,]*viewedAt/.test(plan))).toEqual([]);
  // Of the level that has many contexts, the index gives the order; where it expects one, PostgreSQL may sort that one.
  expect(current.filter((plan) => !/Presorted Key: [^,]*viewedAt/.test(plan) || plan.includes("Seq Scan"))).toEqual([]);
  const { contexts, total } = await store.history(scope, { limit: 50, offset: 0 });
  expect(total).toBe(2_501);
  const [count, ...reads] = (await plans()).toSorted((a) => (a.includes("Aggregate") ? -1 : 1));
  // Every page that vacuum has seen is counted without reading it.
  expect(count).toContain("Index Only Scan");
  await store.history(scope, { limit: 50, offset: 0, knownTotal: total, after: contexts.at(-1) });
  const others = [...reads, ...(await plans())];
  expect([current.length, others.length]).toEqual([3, 2]);
  expect(others.filter((plan) => !/Index.* Scan/.test(plan) || /-> {2}Sort |Seq Scan/.test(plan))).toEqual([]);
});

it("finds out by one look into an index whether anybody has a context", async ({ one }) => {
  await one.write("ada", { created: [writtenContext("ada", "c")] });
  await one.database.rows("INSERT INTO users SELECT 'u' || n, now(), 1 FROM generate_series(1, 3000) n");
  await one.database.rows(
    `INSERT INTO contexts ("userId", "contextId", seq, "capturedAt", ${columns})
     SELECT 'u' || n, 'c' || n, 1, "capturedAt", ${columns} FROM contexts, generate_series(1, 3000) n`,
  );
  await one.database.rows("ANALYZE contexts, users");
  await using watched = watching(one);
  const isOfAnother = (contextId: string) => watched.store.isOfAnother("ada", contextId);
  expect([await isOfAnother("c7"), await isOfAnother("nobodys")]).toEqual([true, false]);
  const found = await watched.plans();
  expect(found).toHaveLength(2);
  expect(found.filter((plan) => !plan.includes("contexts_contextId_idx") || /users|Seq Scan/.test(plan))).toEqual([]);
});
