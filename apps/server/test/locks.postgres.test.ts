import { request } from "node:http";
import pg from "pg";
import { expect, vi } from "vitest";
import { expectError } from "./answer-checks.js";
import { citusWorkers } from "./citus-workers.js";
import { McpConnection, mcpUrl } from "./mcp-connection.js";
import { createMessage } from "./messages.js";
import { PortalClient } from "./portal-client.js";
import { TestServer, withOwnServer as it } from "./test-server.js";

/** Locks that another program holds until the end of the block, and how many statements wait for them. */
async function holdLocks(server: TestServer, statement: string) {
  const holder = new pg.Client(server.config.databaseUrl);
  await holder.connect();
  await holder.query(`BEGIN; ${statement}`);
  // In a cluster, a statement may wait on any machine.
  const activity = citusWorkers > 0 ? "citus_stat_activity" : "pg_stat_activity";
  const waiting = `SELECT 1 FROM ${activity} WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return {
    untilWaiting: (count: number) =>
      vi.waitFor(async () => expect((await server.rows(waiting)).length).toBeGreaterThanOrEqual(count), 60_000),
    release: () => holder.query("ROLLBACK"),
    [Symbol.asyncDispose]: () => holder.end(),
  };
}
const lockTables = (names: string) => `LOCK TABLE ${names} IN ACCESS EXCLUSIVE MODE`;

/** A statement waits for a lock for a third of that. */
const patience = { databaseTimeoutMs: 180_000 };

it("answers others while the reads of one user hang", async () => {
  await using server = await TestServer.start(patience);
  const [busy, other] = [await server.client(), await server.client()];
  await using lock = await holdLocks(server, lockTables("contexts"));
  const paths = ["/context/current", "/context/c", "/context/history"];
  const reads = paths.flatMap((path) => Array.from({ length: 20 }, () => busy.get(path)));
  await lock.untilWaiting(1);
  for (let round = 0; round < 5; round++) expect((await other.get("/privacy/rules")).status).toBe(200);
  await lock.release();
  for (const { status } of await Promise.all(reads)) expect([200, 404]).toContain(status);
});

it("takes the search of a user while 120 of another wait", async () => {
  await using server = await TestServer.start(patience);
  const [busy, other] = [await server.client(), await server.client()];
  for (const client of [busy, other]) await client.sync(createMessage({ context: { content: "lighthouses" } }));
  await using lock = await holdLocks(server, lockTables("search_terms"));
  const searches = Array.from({ length: 120 }, () => busy.get("/context/search?query=lighthouses"));
  await lock.untilWaiting(1);
  const found = other.get("/context/search?query=lighthouses");
  await lock.untilWaiting(2);
  await lock.release();
  expect((await found).body.total).toBe(1);
  for (const { status } of await Promise.all(searches)) expect(status).toBe(200);
});

it("learns whether a key may delete without a look at anybody's contexts", async ({ server, client }) => {
  const reader = await server.client({ scopes: ["read"] });
  // Whoever looks waits, and is refused.
  await using _lock = await holdLocks(server, lockTables("contexts, users"));
  expectError(await client.delete("/context/~"), "not_found");
  expectError(await reader.delete("/context/~"), "forbidden");
  await using mcp = await McpConnection.open(server, client, { transport: "stdio", era: "legacy" });
  expect(await mcp.toolNames()).toContain("delete_context");
});

it("starts no MCP call for a client that has disconnected", async ({ server, client }) => {
  expect((await client.sync(createMessage({ context: { id: "kept" } }))).status).toBe(201);
  // From here on the budget has a row that can be locked.
  expect((await client.delete("/context/none")).status).toBe(404);
  await using lock = await holdLocks(
    server,
    `SELECT 1 FROM rate_windows WHERE "userId" = '${client.userId}' AND budget = 'delete' FOR UPDATE`,
  );
  const accepted = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
  const gone = request(mcpUrl(server), { method: "POST", headers: { Authorization: `Bearer ${client.key}`, ...accepted }, agent: false });
  const params = { name: "delete_context", arguments: { contextId: "kept" } };
  gone.on("error", () => {}).end(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }));
  await lock.untilWaiting(1);
  gone.destroy();
  const metrics = new URL("/metrics", server.baseUrl);
  await vi.waitUntil(async () => /route="\/mcp"[^\n]*499/.test(await (await fetch(metrics)).text()), { timeout: 60_000 });
  await lock.release();
  // Served after the call: in the same budget, and in the user's own order of changes.
  expect((await client.delete("/context/none")).status).toBe(404);
  expect((await client.get("/context/kept")).status).toBe(200);
});

it("leaves one setup token when a process gives one back while another prints one", async ({ server }) => {
  const invite = await server.invites.find((await server.invites.createSetupToken()) ?? "");
  if (!invite) throw new Error("The token is not known.");
  await server.rows("DELETE FROM invites");
  // Whoever stores the same invite waits, after a look at what there is.
  const row = `('${invite.hash}', true, '', now(), now())`;
  await using lock = await holdLocks(server, `INSERT INTO invites (hash, "isOwner", note, "createdAt", "expiresAt") VALUES ${row}`);
  const restored = server.invites.restore(invite);
  await lock.untilWaiting(1);
  const printed = server.invites.createSetupToken();
  await Promise.race([printed, lock.untilWaiting(2)]);
  await lock.release();
  await restored;
  expect(await server.invites.find((await printed) ?? "")).not.toBeNull();
  expect(await server.rows("SELECT hash FROM invites")).toHaveLength(1);
});

it("makes no second owner when two processes finish the setup", async ({ server }) => {
  const person = { name: "Ada", email: "ada@example.org", password: "correct horse battery" };
  await PortalClient.owner(server, person);
  await server.rows('UPDATE auth_users SET "isOwner" = false');
  const token = await server.invites.createSetupToken();
  await using lock = await holdLocks(server, "SELECT 1 FROM invites FOR UPDATE");
  const setup = new PortalClient(server).mutate("setup.complete", { token, ...person, email: "eve@example.org" });
  await lock.untilWaiting(1);
  await server.rows('UPDATE auth_users SET "isOwner" = true');
  await lock.release();
  expect(await setup).toMatchObject({ status: 403, error: { message: expect.stringContaining("This setup address was used") } });
  expect([await server.access.listUsers(), await server.rows("SELECT 1 FROM invites")]).toMatchObject([[{}], []]);
});
