import type pg from "pg";
import { expect, it } from "vitest";
import { createMessage } from "../../../test/messages.js";
import { TestServer } from "../../../test/test-server.js";
import { createContextStore } from "./context-store.js";
import { openPool } from "./pool.js";
import { UserTurns } from "./user-turns.js";

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
  const asked: pg.QueryConfig[] = [];
  const watched = new Proxy(pool, {
    get: (target, key) => (key === "query" ? (each: pg.QueryConfig) => (asked.push(each), target.query(each)) : Reflect.get(target, key)),
  });
  const store = createContextStore(watched, new UserTurns());
  const scope = { userId: client.userId, maxPrivacyLevel: "private" as const };
  const newest = await store.current(scope, {});
  expect(newest?.contextId).toBe("c");
  const first = await store.history(scope, { limit: 50, offset: 0, knownTotal: 2501 });
  const last = first.contexts.at(-1);
  if (!last) throw new Error("there is no page");
  await store.history(scope, { limit: 50, offset: 0, knownTotal: 2501, after: last });
  const plans = await Promise.all(asked.map(({ text, values }) => pool.query({ text: `EXPLAIN ${text}`, values: values ?? [] })));
  expect(
    plans.map(({ rows }) => JSON.stringify(rows)).filter((plan) => !/Index.* Scan/.test(plan) || /-> {2}Sort |Seq Scan/.test(plan)),
  ).toEqual([]);
  expect(plans).toHaveLength(3);
});
