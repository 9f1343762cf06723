import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectError } from "./answer-checks.js";
import { McpConnection, mcpUrl } from "./mcp-connection.js";
import { createMessage } from "./messages.js";
import type { Answer, TestClient } from "./test-client.js";
import { rawRequest } from "./raw-request.js";
import { TestServer } from "./test-server.js";

// What is special to MCP. Keys, scopes and budgets of every endpoint are tested in security.test.ts.

let server: TestServer;
beforeAll(async () => void (server = await TestServer.start({ corsOrigins: ["https://app.example"] })));
afterAll(() => server[Symbol.asyncDispose]());

const it = test.extend("client", () => server.client());

const call = (name: string, args: object = {}, id = 1) => ({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } });

interface Sent {
  method?: string;
  body?: unknown;
  /** Headers that replace the usual ones; an undefined one is left out. */
  headers?: Record<string, string | undefined>;
}

/** One request to /mcp, with the headers that a client of the protocol sends. */
function ask(client: TestClient, { method = "POST", body = call("list_history"), headers = {} }: Sent = {}, at = server): Promise<Answer> {
  const json = typeof body === "string" ? body : JSON.stringify(body);
  const usual = { "Content-Type": "application/json", Accept: "application/json, text/event-stream", ...headers };
  const carried = ["GET", "HEAD", "DELETE"].includes(method) ? {} : { body: json };
  return client.at(() => mcpUrl(at).href).send(method, "", { ...carried, headers: usual as Record<string, string> });
}

const textOf = ({ body }: Answer): string => body.result.content[0].text;

it("accepts notifications, and batches of an older protocol version", async ({ client }) => {
  const notified = await ask(client, { body: { jsonrpc: "2.0", method: "notifications/initialized" } });
  expect(notified).toMatchObject({ status: 202, body: undefined });
  const batch = await ask(client, { body: [call("list_history", {}, 1), call("list_history", {}, 2)] });
  expect(batch.body.map(({ id }: { id: number }) => id).toSorted()).toEqual([1, 2]);
  expectError(await ask(client, { body: Array.from({ length: 21 }, (_, id) => call("list_history", {}, id)) }), "bad_request");
});

it("opens no stream", async ({ client }) => {
  const meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} };
  const info = { "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" } };
  const listen = {
    jsonrpc: "2.0",
    id: 1,
    method: "subscriptions/listen",
    params: { notifications: { toolsListChanged: true }, _meta: { ...meta, ...info } },
  };
  const headers = { "Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "subscriptions/listen" };
  expect((await ask(client, { body: listen, headers })).body).toMatchObject({ error: { message: expect.stringMatching(/limit/i) } });
});

it("refuses bodies that are not JSON-RPC", async ({ client }) => {
  expectError(await ask(client, { headers: { "Content-Type": "text/plain" } }), "unsupported_media_type");
  expectError(await ask(client, { body: '{"jsonrpc":' }), "bad_request");
  for (const body of ["null", "5", '"text"', "[]", "{}"]) {
    const answer = await ask(client, { body });
    expect([answer.status, answer.body.error.message]).toEqual([400, expect.any(String)]);
  }
});

describe("protection against DNS rebinding", () => {
  it.for(["https://evil.example", "http://localhost:8080", "null", "chrome-extension://abcdef"])(
    "refuses the origin %s",
    async (origin, { client }) => {
      expectError(await ask(client, { headers: { Origin: origin } }), "forbidden");
      // It does not learn whether a key is valid either.
      expectError(await ask(client, { headers: { Origin: origin, Authorization: "Bearer none" } }), "forbidden");
    },
  );

  it("allows listed origins and its own, with CORS headers", async ({ client }) => {
    expect((await ask(client, { headers: { Origin: mcpUrl(server).origin } })).status).toBe(200);
    const answer = await ask(client, { headers: { Origin: "https://app.example" } });
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([200, "https://app.example"]);
    const asked = { Origin: "https://app.example", "Access-Control-Request-Method": "POST" };
    const preflight = await fetch(mcpUrl(server), { method: "OPTIONS", headers: asked });
    expect(preflight.headers.get("access-control-allow-headers")).toContain("Mcp-Protocol-Version");
  });

  it("refuses a foreign host name that points at this machine", async () => {
    const { key } = await server.client();
    const { port } = mcpUrl(server);
    const body = JSON.stringify(call("list_history"));
    const usual = { Authorization: `Bearer ${key}`, "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
    const statusFor = async (Host: string) =>
      (await rawRequest(server.baseUrl, { method: "POST", path: "/mcp", headers: { ...usual, Host }, body })).status;
    for (const host of ["evil.example", `evil.example:${port}`, "127.0.0.1.evil.example"]) expect(await statusFor(host)).toBe(403);
    for (const host of [`localhost:${port}`, "127.0.0.1", `[::1]:${port}`, `LOCALHOST:${port}`]) expect(await statusFor(host)).toBe(200);
  });
});

it("takes from the budget of each tool", async () => {
  const plenty = 1_000_000;
  const rateLimits = { sync: plenty, batchSync: plenty, read: 4, search: 1, delete: 1, anonymous: plenty };
  await using limited = await TestServer.start({ rateLimits });
  const frozen = Date.parse("2026-11-20T12:00:10Z");
  limited.clock.now = frozen;
  const client = await limited.client();
  const search = call("search_contexts", { query: "lamp" });
  expect((await ask(client, { body: search }, limited)).body.result.isError).toBeUndefined();
  const refused = await ask(client, { body: search }, limited);
  expect(refused.body.result.isError).toBe(true);
  expect(textOf(refused)).toMatch(/More than 1 requests in this minute.*It can succeed in 50 seconds\. Wait/);
  // The REST route shares the budget.
  expectError(await client.get("/context/search?query=lamp"), "rate_limited", frozen);
  // A request pays for its first read; further reads count on their own.
  const both = await ask(client, { body: [call("list_history", {}, 1), call("list_history", {}, 2)] }, limited);
  expect(both.body.map(({ result }: { result: { isError?: boolean } }) => result.isError ?? false)).toEqual([false, false]);
  expectError(await ask(client, {}, limited), "rate_limited", frozen);
});

it("is 404 when it is switched off", async () => {
  await using without = await TestServer.start({ mcp: false });
  expectError(await ask(await without.client(), {}, without), "not_found");
});

it("hides the cause of an internal error", async () => {
  await using broken = await TestServer.start();
  const client = await broken.client();
  await client.sync(createMessage({ context: { id: "page" } }));
  await using mcp = await McpConnection.open(broken, client);
  await broken.rows("ALTER TABLE contexts RENAME TO gone");
  const { isError, text } = await mcp.call("list_history");
  expect([isError, text]).toEqual([
    true,
    expect.stringMatching(/^Unexpected server error.*tell the user that Periscope failed.*Request id/),
  ]);
  expect(text).not.toMatch(/table|no such|relation|SQL/i);
});
