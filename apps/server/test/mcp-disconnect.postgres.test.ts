import { request } from "node:http";
import pg from "pg";
import { expect, vi } from "vitest";
import { mcpUrl } from "./mcp-connection.js";
import { createMessage } from "./messages.js";
import { withOwnServer as it } from "./test-server.js";

// Only on PostgreSQL can a test hold a call at a certain point: while it counts in its budget.
it("starts no MCP call for a client that has disconnected", async ({ server, client }) => {
  expect((await client.sync(createMessage({ context: { id: "kept" } }))).status).toBe(201);
  // From here on the budget has a row that can be locked.
  expect((await client.delete("/context/none")).status).toBe(404);

  const holder = new pg.Client(server.config.databaseUrl);
  await holder.connect();
  try {
    await holder.query("BEGIN; SELECT 1 FROM rate_windows WHERE budget = 'delete' FOR UPDATE");
    const headers = {
      Authorization: `Bearer ${client.key}`,
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
    };
    const gone = request(mcpUrl(server), { method: "POST", headers, agent: false });
    gone.on("error", () => {});
    gone.end(
      JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "delete_context", arguments: { contextId: "kept" } } }),
    );
    const waiting = "SELECT 1 FROM pg_locks WHERE NOT granted AND locktype = 'transactionid'";
    await vi.waitUntil(async () => (await holder.query(waiting)).rowCount === 1, { timeout: 60_000 });
    gone.destroy();
    const metrics = new URL("/metrics", server.baseUrl);
    await vi.waitUntil(async () => /route="\/mcp"[^\n]*499/.test(await (await fetch(metrics)).text()), { timeout: 60_000 });
    await holder.query("COMMIT");
  } finally {
    await holder.end();
  }
  // Served after the call: in the same budget, and in the user's own order of changes.
  expect((await client.delete("/context/none")).status).toBe(404);
  expect((await client.get("/context/kept")).status).toBe(200);
});
