import { request } from "node:http";
import pg from "pg";
import { expect, it, vi } from "vitest";
import { mcpUrl } from "./mcp-connection.js";
import { createMessage } from "./messages.js";
import { TestServer } from "./test-server.js";

// On PostgreSQL alone a call can be held where a test wants it: while it takes its part of a budget.
it("starts no call of MCP for a client that has gone", async () => {
  await using server = await TestServer.start();
  const client = await server.client();
  expect((await client.sync(createMessage({ context: { id: "kept" } }))).status).toBe(201);
  // The budget `read` of the request itself is in the process's hands from here on; `delete` is not.
  expect((await client.get("/context/kept")).status).toBe(200);

  const holder = new pg.Client(server.config.databaseUrl);
  await holder.connect();
  try {
    await holder.query("BEGIN; LOCK TABLE rate_windows IN ACCESS EXCLUSIVE MODE");
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
    const waiting = "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'rate_windows'::regclass";
    await vi.waitUntil(async () => (await holder.query(waiting)).rowCount === 1, { timeout: 20_000 });
    gone.destroy();
    const metrics = new URL("/metrics", server.baseUrl);
    await vi.waitUntil(async () => /route="\/mcp"[^\n]*499/.test(await (await fetch(metrics)).text()), { timeout: 20_000 });
    await holder.query("COMMIT");
  } finally {
    await holder.end();
  }
  // Behind the call in the same budget, and in the user's own order of changes.
  expect((await client.delete("/context/none")).status).toBe(404);
  expect((await client.get("/context/kept")).status).toBe(200);
});
