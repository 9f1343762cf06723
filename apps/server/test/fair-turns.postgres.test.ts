import pg from "pg";
import { expect, it, vi } from "vitest";
import { createMessage } from "./messages.js";
import { TestServer } from "./test-server.js";

/** Keeps everybody else from a table until the end of the block, and tells how many statements wait for it. */
async function lockTable(server: TestServer, table: string) {
  const client = new pg.Client(server.config.databaseUrl);
  await client.connect();
  await client.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
  return {
    async waiting(): Promise<number> {
      const [row] = await server.rows<{ count: number }>(
        "SELECT count(*)::float8 AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      );
      return row?.count ?? 0;
    },
    release: () => client.query("ROLLBACK"),
    [Symbol.asyncDispose]: () => client.end(),
  };
}

it("answers others while the reads of one user hang", async () => {
  await using server = await TestServer.start();
  const [busy, other] = [await server.client(), await server.client()];
  await using lock = await lockTable(server, "contexts");
  const reads = ["/context/current", "/context/c", "/context/history"].flatMap((path) => Array.from({ length: 20 }, () => busy.get(path)));
  await vi.waitFor(async () => expect(await lock.waiting()).toBeGreaterThan(0), 60_000);
  for (let round = 0; round < 5; round++) expect((await other.get("/privacy/rules")).status).toBe(200);
  await lock.release();
  for (const { status } of await Promise.all(reads)) expect([200, 404]).toContain(status);
});

it("takes the search of a user while 120 of another wait", async () => {
  await using server = await TestServer.start();
  const [busy, other] = [await server.client(), await server.client()];
  for (const client of [busy, other]) await client.sync(createMessage({ context: { content: "lighthouses" } }));
  await using lock = await lockTable(server, "search_terms");
  const searches = Array.from({ length: 120 }, () => busy.get("/context/search?query=lighthouses"));
  await vi.waitFor(async () => expect(await lock.waiting()).toBeGreaterThan(0), 60_000);
  const found = other.get("/context/search?query=lighthouses");
  await vi.waitFor(async () => expect(await lock.waiting()).toBe(2), 60_000);
  await lock.release();
  expect((await found).body.total).toBe(1);
  for (const { status } of await Promise.all(searches)) expect(status).toBe(200);
});
