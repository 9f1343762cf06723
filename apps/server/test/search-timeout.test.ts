import pg from "pg";
import { expect, it, vi } from "vitest";
import { expectError } from "./answer-checks.js";
import { createMessage } from "./messages.js";
import { readMetrics } from "./prometheus-text.js";
import { testEngine } from "./test-database.js";
import { TestServer } from "./test-server.js";

/** Makes searches take for ever, or count some millions of rows first, until the end of the block. */
async function slowSearches(server: TestServer): Promise<AsyncDisposable> {
  if (testEngine() === "sqlite") {
    // Two tables, since a thread tells how much time it has used when a statement has ended.
    const tables = ["search_owners", "contexts"];
    for (const table of tables) {
      await server.rows(`ALTER TABLE ${table} RENAME TO kept_${table}`);
      await server.rows(`CREATE VIEW ${table} AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000000)
        SELECT * FROM kept_${table}, (SELECT count(*) FROM n)`);
    }
    return {
      async [Symbol.asyncDispose]() {
        for (const table of tables) {
          await server.rows(`DROP VIEW ${table}`);
          await server.rows(`ALTER TABLE kept_${table} RENAME TO ${table}`);
        }
      },
    };
  }
  const other = new pg.Client(server.config.databaseUrl);
  await other.connect();
  await other.query("BEGIN; LOCK TABLE search_terms IN ACCESS EXCLUSIVE MODE");
  return {
    async [Symbol.asyncDispose]() {
      // The database has cancelled those that waited for the lock.
      const running = `SELECT query FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'periscope' AND state <> 'idle'`;
      await vi.waitFor(async () => expect((await other.query(running)).rows).toEqual([]), 60_000);
      await other.end();
    },
  };
}

it("answers 503 to a search that takes too long, and runs the next one", async () => {
  await using server = await TestServer.start({ searchTimeoutMs: testEngine() === "sqlite" ? 200 : 1_500 });
  const client = await server.client();
  await client.sync(createMessage());
  {
    await using _slow = await slowSearches(server);
    const answer = await client.get("/context/search?query=lighthouses");
    expectError(answer, "unavailable");
    expect(answer.headers.get("retry-after")).toBe("1");
  }
  expect((await readMetrics(server)).value("periscope_search_timeouts_total")).toBe(1);
  // Under the same limit, so that a slow one may be past it as well.
  await vi.waitFor(async () => expect((await client.get("/context/search?query=lighthouses")).body.total).toBe(1), 60_000);
});
