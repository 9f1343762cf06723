import { limits } from "@periscope/schemas";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectError } from "./answer-checks.js";
import { McpConnection, mcpUrl, type Way } from "./mcp-connection.js";
import { createMessage } from "./messages.js";
import { rawRequest } from "./raw-request.js";
import type { Answer, TestClient } from "./test-client.js";
import { TestServer } from "./test-server.js";

// The official client over both transports and in both eras of the protocol, and bare requests for what it does not send. How answers are
// fenced, bounded and paged is tested in packages/mcp; keys, scopes and budgets of every endpoint, in http-guards.test.ts.

let server: TestServer;
beforeAll(async () => void (server = await TestServer.start({ corsOrigins: ["https://app.example"] })));
afterAll(() => server[Symbol.asyncDispose]());

const readingTools = ["get_current_context", "search_contexts", "list_history", "get_context"];
const ways: Way[] = (["http", "stdio"] as const).flatMap((transport) => (["legacy", "modern"] as const).map((era) => ({ transport, era })));

function contextOf(id: string, minute = 0, more: object = {}) {
  const capturedAt = new Date(Date.UTC(2026, 0, 31, 12, minute)).toISOString();
  const tabMetadata = { id: "7", url: `https://a.example/${id}`, title: `About ${id}` };
  return { id, capturedAt, content: `The keeper of ${id} lights the lamp.`, tabMetadata, ...more };
}

/** What is between the lines with the boundary, which the notice names. */
function fenced(text: string): string {
  const boundary = /lines that hold (\w{32})|between <<<(\w{32})/.exec(text)?.slice(1).join("") ?? "none";
  const [before, inside, after, ...more] = text.split(new RegExp(`^(?:<<<|>>>)${boundary} page text (?:begins|ends)$`, "m"));
  expect([before !== undefined, after !== undefined, more]).toEqual([true, true, []]);
  return inside?.slice(1, -1) ?? "";
}

describe.each(ways)("over $transport, $era", (way) => {
  it("offers its tools with their hints, delete only to keys with that scope", async () => {
    await using mcp = await McpConnection.open(server, await server.client(), way);
    const { tools } = await mcp.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([...readingTools, "delete_context"]);
    for (const { name, annotations, inputSchema, outputSchema, description } of tools) {
      const isReading = readingTools.includes(name);
      expect(annotations).toMatchObject({ readOnlyHint: isReading, destructiveHint: !isReading, idempotentHint: true });
      expect(inputSchema).toHaveProperty("additionalProperties", false);
      expect([outputSchema?.["type"], (description ?? "").length > 40]).toEqual(["object", true]);
    }
    expect(mcp.client.getServerCapabilities()).toMatchObject({ tools: { listChanged: false }, resources: { listChanged: false } });
    // Every request of a model carries the definitions.
    const definitions = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
    expect(JSON.stringify(definitions).length).toBeLessThan(5_000);

    await using reader = await McpConnection.open(server, await server.client({ scopes: ["read"] }), way);
    expect(await reader.toolNames()).toEqual(readingTools);
    const failed = (error: unknown) => ({ isError: true, text: String(error) });
    const outcome = await reader.call("delete_context", { contextId: "newer" }).catch(failed);
    expect(outcome).toMatchObject({ isError: true, text: expect.stringMatching(/not found/i) });
  });

  it("returns the current context, searches, lists, reads and deletes", async () => {
    const client = await server.client();
    await using mcp = await McpConnection.open(server, client, way);
    expect(await mcp.call("get_current_context")).toMatchObject({ structured: { found: false }, isError: false });
    for (const [id, minute] of [["older", 1] as const, ["newer", 2] as const])
      expect((await client.sync(createMessage({ context: contextOf(id, minute) }))).status).toBe(201);
    const onLine = (text: string): unknown => expect.stringContaining(` ${text} >>>`);
    const current = await mcp.call("get_current_context");
    const shown = { found: true, contextId: "newer", title: onLine("About newer"), url: onLine("https://a.example/newer") };
    expect(current.structured).toMatchObject(shown);
    expect(fenced(current.text)).toContain("The keeper of newer lights the lamp.");
    const found = await mcp.call("search_contexts", { query: "keeper older" });
    const hit = { contextId: "older", title: onLine("About older"), snippet: expect.stringContaining("lamp") };
    expect(found.structured.items[0]).toMatchObject(hit);
    const history = await mcp.call("list_history", { since: "2026-01-31T12:01:30Z" });
    expect(history.structured).toMatchObject({ items: [{ contextId: "newer" }], total: 1 });
    expect((await mcp.call("get_context", { contextId: "older" })).structured.content).toContain("The keeper of older");
    const [read] = (await mcp.client.readResource({ uri: "periscope://context/newer" })).contents;
    expect(fenced(read !== undefined && "text" in read ? read.text : "")).toContain("The keeper of newer");
    for (const deleted of [true, false])
      expect(await mcp.call("delete_context", { contextId: "older" })).toMatchObject({ structured: { deleted }, isError: false });
    expect((await client.get("/context/older")).status).toBe(404);
  });
});

it("returns failures as results that say what to do next, without a key or a cause", async () => {
  await using own = await TestServer.start();
  const client = await own.client();
  await client.sync(createMessage({ context: contextOf("newer") }));
  await using mcp = await McpConnection.open(own, client);
  await using eraser = await McpConnection.open(own, await own.client({ scopes: ["delete"] }));
  const failures: Array<[failure: { isError: boolean; text: string }, says: RegExp]> = [
    [await mcp.call("get_context", { contextId: "none" }), /no context with this id.*search_contexts/],
    [await mcp.call("search_contexts", {}), /query.*urlPattern.*Correct the arguments/],
    [await mcp.call("get_context", { contextId: "newer", cursor: "!" }), /contentCursor.*Correct the arguments/],
    [await mcp.call("get_context", { contextId: "newer", maxChars: 10 }), /maxChars.*Correct the arguments/],
    [
      await mcp.call("search_contexts", { query: "lens", since: "2030-01-01T00:00:00Z" }),
      /no argument since.*startTime.*Correct the arguments/,
    ],
    [await mcp.call("list_history", { since: "yesterday" }), /since.*ISO 8601/],
    [await eraser.call("list_history"), /lacks the scope read.*Tell the user/],
  ];
  await own.rows("ALTER TABLE contexts RENAME TO gone");
  failures.push([await mcp.call("list_history"), /^Unexpected server error.*tell the user that Periscope failed.*Request id/]);
  for (const [{ isError, text }, says] of failures) {
    expect([isError, text]).toEqual([true, expect.stringMatching(says)]);
    expect(text).not.toMatch(/psk_|table|no such|relation|SQL/i);
  }
});

it("starts its command without the service, and says what to do", async () => {
  const nowhere = { baseUrl: "http://127.0.0.1:9/api/v1" };
  const client = await server.client();
  await using mcp = await McpConnection.open(nowhere, client, { transport: "stdio", era: "legacy" });
  expect(await mcp.toolNames()).toEqual(readingTools);
  expect(mcp.errors.join("")).toContain("delete_context is not offered");
  const { isError, text } = await mcp.call("get_current_context");
  expect([isError, text]).toEqual([true, expect.stringContaining("tell the user that Periscope cannot be reached")]);
  expect(mcp.errors.join("") + text).not.toContain(client.key);
});

const call = (name: string, args: object = {}, id = 1) => ({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } });
const usual = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };

/** One request to /mcp, with the headers that a client of the protocol sends. */
function ask(client: TestClient, body: unknown = call("list_history"), headers: Record<string, string> = {}, at = server): Promise<Answer> {
  const json = typeof body === "string" ? body : JSON.stringify(body);
  return client.at(() => mcpUrl(at).href).send("POST", "", { body: json, headers: { ...usual, ...headers } });
}

it("accepts notifications, and batches of up to 20 messages of an older version", async () => {
  const client = await server.client();
  const notified = await ask(client, { jsonrpc: "2.0", method: "notifications/initialized" });
  expect(notified).toMatchObject({ status: 202, body: undefined });
  const calls = (count: number) => Array.from({ length: count }, (_, id) => call("list_history", {}, id));
  expect((await ask(client, calls(20))).body).toHaveLength(20);
  expectError(await ask(client, calls(21)), "bad_request");
});

it.each<Way>([
  { transport: "http", era: "modern" },
  { transport: "http", era: "legacy" },
  { transport: "stdio", era: "modern" },
  { transport: "stdio", era: "legacy" },
])("tells a subscribed host that the person turned to another page, by $transport, $era", async (way) => {
  const client = await server.client();
  await using mcp = await McpConnection.open(server, client, way);
  const updates: string[] = [];
  const heard = Promise.withResolvers<void>();
  mcp.client.setNotificationHandler("notifications/resources/updated", ({ params }) => {
    updates.push(params.uri);
    heard.resolve();
  });
  expect(mcp.client.getServerCapabilities()?.resources?.subscribe).toBe(true);
  const uri = "periscope://current";
  if (way.era === "modern") await mcp.client.listen({ resourceSubscriptions: [uri] });
  else await mcp.client.subscribeResource({ uri });
  // A host cannot see when its stream has begun.
  let isOver = false;
  const turning = (async () => {
    for (let page = 0; !isOver; page++) await client.sync(createMessage({ context: { id: `page-${page}` } }));
  })();
  await heard.promise;
  isOver = true;
  await turning;
  expect(new Set(updates)).toEqual(new Set([uri]));
  const { contents } = await mcp.client.readResource({ uri });
  expect(contents[0]).toMatchObject({ text: expect.stringContaining("Lighthouses") });
});

it("tells a host that subscribed by stdio to read again: the page may have turned before the connection began", async () => {
  const client = await server.client();
  await using mcp = await McpConnection.open(server, client, { transport: "stdio", era: "legacy" });
  const heard = Promise.withResolvers<string>();
  mcp.client.setNotificationHandler("notifications/resources/updated", ({ params }) => heard.resolve(params.uri));
  await mcp.client.subscribeResource({ uri: "periscope://current" });
  expect(await heard.promise).toBe("periscope://current");
});

it("tells a subscribed host when events were missed", async () => {
  const client = await server.client();
  await client.sync(createMessage());
  await using mcp = await McpConnection.open(server, client);
  let updates = 0;
  mcp.client.setNotificationHandler("notifications/resources/updated", () => void updates++);
  await mcp.client.subscribeResource({ uri: "periscope://current" });
  const heard = async () => {
    // As a command does beside the server, which cannot know what has changed. Again, as a host cannot see when its stream has begun.
    await server.rows('UPDATE users SET revision = revision + 1 WHERE "userId" = ?', client.userId);
    return updates > 0;
  };
  await expect.poll(heard).toBe(true);
});

it("says that a user has too many live connections to a host that asks for one more", async () => {
  const client = await server.client();
  const version = "2026-07-28";
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": version,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  };
  const params = { notifications: { resourceSubscriptions: ["periscope://current"] }, _meta };
  const listen = { jsonrpc: "2.0", id: 1, method: "subscriptions/listen", params };
  const headers = { ...usual, "Mcp-Protocol-Version": version, "Mcp-Method": listen.method };
  const ending = new AbortController();
  const authorized = { ...headers, Authorization: `Bearer ${client.key}` };
  const request = { method: "POST", headers: authorized, body: JSON.stringify(listen), signal: ending.signal };
  // An unreferenced response is garbage-collected, which closes its connection.
  const opened: Response[] = [];
  while (opened.length < limits.liveConnectionsMax) opened.push(await fetch(mcpUrl(server), request));
  expect(opened.map(({ status }) => status)).toEqual(Array.from(opened, () => 200));
  const refused = await ask(client, listen, headers);
  expectError(refused, "rate_limited");
  expect([refused.headers.get("retry-after"), refused.body.message]).toEqual(["10", expect.stringContaining("20 live connections")]);
  ending.abort();
});

it("refuses bodies that are not JSON-RPC", async () => {
  const client = await server.client();
  expectError(await ask(client, "{}", { "Content-Type": "text/plain" }), "unsupported_media_type");
  expectError(await ask(client, '{"jsonrpc":'), "bad_request");
  for (const body of ["null", "5", '"text"', "[]", "{}"]) {
    const answer = await ask(client, body);
    expect([answer.status, answer.body.error.message]).toEqual([400, expect.any(String)]);
  }
});

describe("against DNS rebinding", () => {
  it.for(["https://evil.example", "http://localhost:8080", "null", "chrome-extension://abcdef"])(
    "refuses the origin %s",
    async (Origin) => {
      const client = await server.client();
      expectError(await ask(client, undefined, { Origin }), "forbidden");
      // It does not learn whether a key is valid either.
      expectError(await ask(client, undefined, { Origin, Authorization: "Bearer none" }), "forbidden");
    },
  );

  it("allows listed origins and its own, with CORS headers", async () => {
    const client = await server.client();
    expect((await ask(client, undefined, { Origin: mcpUrl(server).origin })).status).toBe(200);
    const Origin = "https://app.example";
    const answer = await ask(client, undefined, { Origin });
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([200, Origin]);
    const asked = { Origin, "Access-Control-Request-Method": "POST" };
    const preflight = await fetch(mcpUrl(server), { method: "OPTIONS", headers: asked });
    expect(preflight.headers.get("access-control-allow-headers")).toContain("Mcp-Protocol-Version");
  });

  it("refuses a foreign host name that points at this machine", async () => {
    const headers = { ...usual, Authorization: `Bearer ${(await server.client()).key}` };
    const { port } = mcpUrl(server);
    const body = JSON.stringify(call("list_history"));
    const statusFor = async (Host: string) =>
      (await rawRequest(server.baseUrl, { method: "POST", path: "/mcp", headers: { ...headers, Host }, body })).status;
    for (const host of ["evil.example", `evil.example:${port}`, "127.0.0.1.evil.example"]) expect(await statusFor(host)).toBe(403);
    for (const host of [`localhost:${port}`, "127.0.0.1", `[::1]:${port}`, `LOCALHOST:${port}`]) expect(await statusFor(host)).toBe(200);
  });
});

it("takes from the budget of each tool", async () => {
  const plenty = 1_000_000;
  await using limited = await TestServer.start({
    rateLimits: { sync: plenty, batchSync: plenty, read: 4, search: 1, delete: 1, anonymous: plenty },
  });
  const now = (limited.clock.now = Date.UTC(2026, 10, 20, 12, 0, 10));
  const client = await limited.client();
  const search = () => ask(client, call("search_contexts", { query: "lamp" }), {}, limited);
  expect((await search()).body.result.isError).toBeUndefined();
  const { isError, content } = (await search()).body.result;
  expect([isError, content[0].text]).toEqual([
    true,
    expect.stringMatching(/More than 1 requests in this minute.*It can succeed in 50 seconds\. Wait/),
  ]);
  // The REST route shares the budget.
  expectError(await client.get("/context/search?query=lamp"), "rate_limited", now);
  // A request pays for its first read; further reads count on their own.
  const both = await ask(client, [call("list_history", {}, 1), call("list_history", {}, 2)], {}, limited);
  expect(both.body.map(({ result }: { result: { isError?: boolean } }) => result.isError ?? false)).toEqual([false, false]);
  expectError(await ask(client, undefined, {}, limited), "rate_limited", now);
});

it("is 404 when it is switched off", async () => {
  await using without = await TestServer.start({ mcp: false });
  expectError(await ask(await without.client(), undefined, {}, without), "not_found");
});
