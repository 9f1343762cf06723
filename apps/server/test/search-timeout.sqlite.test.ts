import { expect, it, vi } from "vitest";
import { expectError } from "./answer-checks.js";
import { writeTo } from "./database-dump.js";
import { createMessage } from "./messages.js";
import { parsePrometheusText } from "./prometheus-text.js";
import { rawRequest } from "./raw-request.js";
import { TestServer } from "./test-server.js";

/** Makes the first statement of a search count some millions of rows. */
const slowDown = `
  ALTER TABLE search_owners RENAME TO owners;
  CREATE VIEW search_owners AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000000)
    SELECT * FROM owners, (SELECT count(*) FROM n);`;
const speedUp = "DROP VIEW search_owners; ALTER TABLE owners RENAME TO search_owners;";

it("answers 503 to a search that takes too long, counts it, and runs the next one", async () => {
  await using server = await TestServer.start({ searchTimeoutMs: 200 });
  const client = await server.client();
  await client.sync(createMessage());
  writeTo(server.databaseFile, slowDown);
  const answer = await client.get("/context/search?query=lighthouses");
  expectError(answer, "unavailable");
  expect(answer.headers.get("retry-after")).toBe("1");
  const { text } = await rawRequest(new URL(server.baseUrl).origin, { path: "/metrics" });
  expect(parsePrometheusText(text).value("periscope_search_timeouts_total")).toBe(1);
  writeTo(server.databaseFile, speedUp);
  // Under the same limit, so that a slow one may be past it as well.
  await vi.waitFor(async () => expect((await client.get("/context/search?query=lighthouses")).body.total).toBe(1), 60_000);
});
