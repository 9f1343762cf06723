import pg from "pg";
import { expect, it, vi } from "vitest";
import { expectError } from "./answer-checks.js";
import { createMessage } from "./messages.js";
import { parsePrometheusText } from "./prometheus-text.js";
import { rawRequest } from "./raw-request.js";
import { TestServer } from "./test-server.js";

it("a search past its time is a 503 to retry, counted as such; the database cancels it, and the next one works", async () => {
  await using server = await TestServer.start({ searchTimeoutMs: 1_500 });
  const client = await server.client();
  await client.sync(createMessage());
  const other = new pg.Client(server.config.databaseUrl);
  await other.connect();
  try {
    // Whoever reads the index waits from here on.
    await other.query("BEGIN; LOCK TABLE search_terms IN ACCESS EXCLUSIVE MODE");
    const answers = await Promise.all(Array.from({ length: 3 }, () => client.get("/context/search?query=lighthouses")));
    for (const answer of answers) {
      expectError(answer, "unavailable");
      expect(answer.headers.get("retry-after")).toBe("1");
    }
    const running = `SELECT query FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'periscope' AND state <> 'idle'`;
    await vi.waitFor(async () => expect((await other.query(running)).rows).toEqual([]), 60_000);
  } finally {
    await other.end();
  }
  const { text } = await rawRequest(new URL(server.baseUrl).origin, { path: "/metrics" });
  expect(parsePrometheusText(text).value("periscope_search_timeouts_total")).toBe(3);
  // Under the same limit, so that a slow one may be past it as well.
  await vi.waitFor(async () => expect((await client.get("/context/search?query=lighthouses")).body.total).toBe(1), 60_000);
});
