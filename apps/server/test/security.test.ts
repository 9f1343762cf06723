import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAccessService } from "../src/access/access.service.js";
import { expectError, expectSuccess } from "./answer-checks.js";
import { callTool } from "./endpoints.js";
import { contextLine, exportText } from "./export-text.js";
import { deleteMessage, updateMessage } from "./messages.js";
import { routes, sampleOf, sendSample } from "./sample-requests.js";
import { testEngine } from "./test-database.js";
import { TestServer } from "./test-server.js";
import { owner, view } from "./user-view.js";

let server: TestServer;
beforeAll(async () => void (server = await TestServer.start()));
afterAll(() => server[Symbol.asyncDispose]());

describe("a key", () => {
  it("ends with the next request after another process revoked it", async () => {
    const client = await owner(server);
    expect((await client.get("/context/current")).status).toBe(200);
    await using storage = await server.openStorage();
    await createAccessService({ store: storage.access, clock: Date.now }).revokeKey(client.keyId);
    expectError(await client.get("/context/current"), "unauthorized");
  });

  it("ends when it expires, also after a restart", async () => {
    await using own = await TestServer.start();
    const start = Date.now();
    own.clock.now = start;
    const client = await own.client({ expiresInMs: 60_000 });
    own.clock.now = start + 59_999;
    expect((await client.get("/context/history")).status).toBe(200);
    own.clock.now = start + 60_000;
    expect((await client.get("/context/history")).status).toBe(401);
    await own.restart();
    expect((await client.get("/context/history")).status).toBe(401);
  });
});

describe("another user", () => {
  it("sees on every GET route and MCP what they would see without the data", async () => {
    const stranger = await server.client();
    const empty = await view(stranger, "secret");
    const client = await owner(server, "secret");
    expect(await view(client, "secret")).not.toEqual(empty);
    expect(await view(stranger, "secret")).toEqual(empty);
  });

  it("changes nothing through any route, message or MCP tool", async () => {
    const [client, stranger] = [await owner(server, "secret"), await server.client()];
    const before = await view(client, "secret");
    for (const route of routes)
      await sendSample(stranger, route, { contextId: "secret", ...(route.name === "eraseData" && { body: { confirm: client.userId } }) });
    await callTool(stranger, "delete_context", { contextId: "secret" });
    await stranger.sync(updateMessage("secret", { title: "Mine now" }));
    await stranger.sync(deleteMessage("secret", { timestamp: new Date().toISOString() }));
    expect(await view(client, "secret")).toEqual(before);
  });

  const taking = routes.filter(({ hasBody, meta }) => hasBody && !meta.bodyType).map((route) => ({ name: route.name, route }));
  it.each(taking)("cannot name the owner as userId in $name", async ({ route }) => {
    const [client, stranger] = [await owner(server, "secret"), await server.client()];
    const before = await view(client, "secret");
    const body = sampleOf(route, "planted").body as Record<string, unknown>;
    const answer = await sendSample(stranger, route, { body: { ...body, userId: client.userId } });
    // Messages have a userId; elsewhere it is an unknown field.
    if (route.meta.openapi.tags.includes("Sync")) expectError(answer, "forbidden");
    else expectSuccess(answer, route);
    expect(await view(client, "secret")).toEqual(before);
    expect((await client.get("/context/planted")).status).toBe(404);
  });
});

it("imports for the user of the key, whomever the export and its lines name", async () => {
  const [client, stranger] = [await owner(server, "secret"), await server.client()];
  const before = await view(client, "secret");
  const { userId } = client;
  const lines = [{ kind: "user", userId, createdAt: 0 }, contextLine("planted", { userId }), contextLine("secret", { userId })];
  const { status, body } = await stranger.send("POST", "/data/import", {
    body: exportText(lines, { userId }),
    headers: { "Content-Type": "application/x-ndjson" },
  });
  expect([status, body]).toEqual([200, expect.objectContaining({ created: 2, failed: 1 })]);
  expect(await view(client, "secret")).toEqual(before);
  expect((await client.get("/context/planted")).status).toBe(404);
  expect((await stranger.get("/context/planted")).status).toBe(200);
});

it("counts requests without a valid key once over all processes that share a database", async () => {
  const rateLimits = { ...server.config.rateLimits, anonymous: 1 };
  await using one = await TestServer.start({ rateLimits });
  await using two = await TestServer.start({ databaseUrl: one.config.databaseUrl, rateLimits });
  one.clock.now = two.clock.now = Date.UTC(2026, 0, 31, 12);
  const status = async ({ baseUrl }: TestServer) => (await fetch(`${baseUrl}/context/current`)).status;
  // SQLite serves one process, so a second one counts for itself.
  expect([await status(one), await status(two)]).toEqual(testEngine() === "sqlite" ? [401, 401] : [401, 429]);
});
