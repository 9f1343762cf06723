import pg from "pg";
import { expect, it } from "vitest";
import { createMessage } from "../../../test/messages.js";
import { TestServer } from "../../../test/test-server.js";
import { createContextStore } from "./context-store.js";
import { openPool } from "./pool.js";
import { removeContext } from "./remove-context.js";
import { UserTurns } from "./user-turns.js";

/** A pool that keeps what it is asked outside transactions, with the plans of that. */
function watching(pool: pg.Pool, databaseUrl: string): { watched: pg.Pool; plans: () => Promise<string[]> } {
  const asked: pg.QueryConfig[] = [];
  const watched = new Proxy(pool, {
    get: (target, key) => (key === "query" ? (each: pg.QueryConfig) => (asked.push(each), target.query(each)) : Reflect.get(target, key)),
  });
  const explain = async ({ text, values }: pg.QueryConfig) => {
    const client = new pg.Client(databaseUrl);
    await client.connect();
    try {
      return await client.query({ text: `EXPLAIN ${text}`, values: values ?? [] });
    } finally {
      await client.end();
    }
  };
  return { watched, plans: async () => (await Promise.all(asked.map(explain))).map(({ rows }) => JSON.stringify(rows)) };
}

it("reads the newest context and pages of history in the order of an index, and sorts but what is of one time", async () => {
  await using server = await TestServer.start();
  const client = await server.client();
  await client.sync(createMessage({ context: { id: "c" } }));
  const columns = `type, "tabId", "extensionId", "privacyLevel", "writtenAt", "contentFormat", url, title, "tabMetadata", metadata, content`;
  await server.rows(
    `INSERT INTO contexts ("userId", "contextId", seq, "capturedAt", ${columns})
     SELECT "userId", 'c' || n, 1 + n, "capturedAt" - n * interval '1 minute', ${columns} FROM contexts, generate_series(1, 2500) n WHERE "userId" = ?`,
    client.userId,
  );
  await server.rows("ANALYZE contexts");

  const pool = openPool(server.config.databaseUrl, { connectionsMax: 2, statementTimeoutMs: 10_000 });
  await using _ = { [Symbol.asyncDispose]: () => pool.end() };
  const { watched, plans: plansOf } = watching(pool, server.config.databaseUrl);
  const store = createContextStore(watched, new UserTurns());
  const scope = { userId: client.userId, maxPrivacyLevel: "private" as const };
  const newest = await store.current(scope, {});
  expect(newest?.contextId).toBe("c");
  const first = await store.history(scope, { limit: 50, offset: 0, knownTotal: 2501 });
  const last = first.contexts.at(-1);
  if (!last) throw new Error("there is no page");
  await store.history(scope, { limit: 50, offset: 0, knownTotal: 2501, after: last });
  const plans = await plansOf();
  expect(plans.filter((plan) => !/Index.* Scan/.test(plan) || /-> {2}Sort |Seq Scan/.test(plan))).toEqual([]);
  expect(plans).toHaveLength(3);
});

it("finds out whether anybody has a context by one look into an index, however many users there are", async () => {
  await using server = await TestServer.start();
  const client = await server.client();
  await client.sync(createMessage({ context: { id: "c" } }));
  await server.rows("INSERT INTO users SELECT 'u' || n, now() FROM generate_series(1, 3000) n");
  const columns = `type, "tabId", "extensionId", "privacyLevel", "writtenAt", "contentFormat", url, title, "tabMetadata", metadata, content`;
  await server.rows(
    `INSERT INTO contexts ("userId", "contextId", seq, "capturedAt", ${columns})
     SELECT 'u' || n, 'c' || n, 1, "capturedAt", ${columns} FROM contexts, generate_series(1, 3000) n`,
  );
  await server.rows("ANALYZE contexts, users");
  const pool = openPool(server.config.databaseUrl, { connectionsMax: 2, statementTimeoutMs: 10_000 });
  await using _ = { [Symbol.asyncDispose]: () => pool.end() };
  const { watched, plans } = watching(pool, server.config.databaseUrl);
  const remove = (contextId: string) => removeContext(watched, { userId: client.userId, contextId }, 0);
  expect([await remove("c7"), await remove("nobodys")]).toEqual(["foreign", "missing"]);
  const found = await plans();
  expect(found).toHaveLength(2);
  expect(found.filter((plan) => !plan.includes("contexts_contextId_idx") || /users|Seq Scan/.test(plan))).toEqual([]);
});
