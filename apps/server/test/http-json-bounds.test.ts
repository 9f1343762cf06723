import { gzipSync } from "node:zlib";
import { limits } from "@periscope/schemas";
import { afterAll, beforeAll, expect, it } from "vitest";
import { expectError } from "./answer-checks.js";
import { createMessage } from "./messages.js";
import { parsePrometheusText } from "./prometheus-text.js";
import { type RawAnswer, rawRequest } from "./raw-request.js";
import type { TestClient } from "./test-client.js";
import { TestServer } from "./test-server.js";

let server: TestServer;
let client: TestClient;
beforeAll(async () => {
  server = await TestServer.start();
  client = await server.client();
});
afterAll(() => server[Symbol.asyncDispose]());

const sync = "/api/v1/context/sync";

function post(text: string, path = sync): Promise<RawAnswer> {
  const headers = { Authorization: `Bearer ${client.key}`, "Content-Type": "application/json", "Content-Encoding": "gzip" };
  return rawRequest(server.baseUrl, { method: "POST", path, headers, body: gzipSync(text) });
}

const configMessage = (config: unknown) => ({
  id: crypto.randomUUID(),
  type: "config",
  timestamp: "2026-01-31T12:00:00Z",
  payload: { type: "config", config },
});
const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [index.toString(36), 1]));
const nested = (depth: number) => JSON.parse("[".repeat(depth) + "]".repeat(depth)) as unknown;
const many = keys(100_000);

it.each([
  ["config", sync, configMessage(many)],
  ["metadata", sync, createMessage({ context: { metadata: many } })],
  ["a message", sync, { ...createMessage(), ...many }],
  ["an unknown field", sync, { ...createMessage(), unknown: many }],
  ["_meta of /mcp", "/mcp", { jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: many } }],
])("refuses 100,000 keys in %s with 413", async (_, path, body) => {
  const answer = await post(JSON.stringify(body), path);
  expectError(answer, "payload_too_large");
  expect(answer.body).toMatchObject({ message: expect.stringContaining("8192 members"), maxBytes: limits.bodyBytesMax });
});

it("refuses more than 32,768 members and elements spread over a batch with 413", async () => {
  const batch = (perMessage: number) =>
    JSON.stringify({ id: "b", type: "batch", messages: Array.from({ length: 100 }, () => configMessage(keys(perMessage))) });
  const answer = await post(batch(400), "/api/v1/context/batch-sync");
  expectError(answer, "payload_too_large");
  expect(answer.body.message).toContain("32768 members");
  const { text } = await rawRequest(server.baseUrl, { path: "/metrics" });
  expect(parsePrometheusText(text).value("periscope_http_past_bound_total", { bound: "json" })).toBeGreaterThan(0);
  expect((await post(batch(300), "/api/v1/context/batch-sync")).body).toMatchObject({ synced: 100 });
});

it("refuses more than 64 levels of nesting with 400, whatever follows", async () => {
  const answer = await post("[".repeat(1_000_000));
  expectError(answer, "bad_request");
  expect(answer.body.message).toContain("64 levels");
  expectError(await post(JSON.stringify({ ...createMessage(), unknown: nested(64) })), "bad_request");
  expect((await post(JSON.stringify({ ...createMessage(), unknown: nested(63) }))).status).toBe(201);
});

it("accepts a message that fills 16 KiB with elements, keys or levels", async () => {
  expect((await post(JSON.stringify(configMessage({ all: Array(8_160).fill(1) })))).status).toBe(201);
  expect((await post(JSON.stringify(configMessage(keys(1_900))))).status).toBe(201);
  expect((await post(JSON.stringify(configMessage({ deep: nested(31) })))).status).toBe(201);
});

it("does not count what stands in strings", async () => {
  const content = `${'{"a":[1,2,3],\\'.repeat(50_000)}"`;
  expect((await post(JSON.stringify(createMessage({ context: { content } })))).status).toBe(201);
});

it.each(["utf-16", "utf-16le", "utf-32", "utf-7"])("refuses the charset %s with 415", async (charset) => {
  const headers = { Authorization: `Bearer ${client.key}`, "Content-Type": `application/json; charset=${charset}` };
  const body = Buffer.from(JSON.stringify(createMessage()), "utf16le");
  expectError(await rawRequest(server.baseUrl, { method: "POST", path: sync, headers, body }), "unsupported_media_type");
});
