import type { OutgoingHttpHeaders } from "node:http";
import { brotliCompressSync, constants, deflateSync, gzipSync } from "node:zlib";
import { limits } from "@periscope/schemas";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectError } from "./answer-checks.js";
import { configMessage, createMessage } from "./messages.js";
import { readMetrics } from "./prometheus-text.js";
import { type RawAnswer, rawRequest, type RawRequest } from "./raw-request.js";
import { routes } from "./sample-requests.js";
import type { TestClient } from "./test-client.js";
import { TestServer } from "./test-server.js";

let server: TestServer;
let client: TestClient;
beforeAll(async () => {
  server = await TestServer.start();
  client = await server.client();
});
afterAll(() => server[Symbol.asyncDispose]());

const syncTarget = { name: "sync", method: "POST", path: "/api/v1/context/sync" };
// Node's client frames no body of a DELETE.
const targets = routes
  .filter(({ hasBody, meta }) => hasBody && !meta.bodyType && meta.openapi.method !== "DELETE")
  .map(({ name, meta: { openapi } }) => ({ name, method: openapi.method, path: `/api/v1${openapi.path}` }));

/** Sends a body, by default to `POST /context/sync`; an undefined header is left out. */
function post(body: RawRequest["body"], headers: OutgoingHttpHeaders = {}, { method, path } = syncTarget): Promise<RawAnswer> {
  const given = { Authorization: `Bearer ${client.key}`, "Content-Type": "application/json", ...headers };
  const sent = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return rawRequest(server.baseUrl, { method, path, headers: sent, body });
}
const message = () => JSON.stringify(createMessage());

// The best quality of brotli takes seconds for the largest bodies.
const brotli = (text: string) => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
const encoders = { gzip: gzipSync, br: brotli, deflate: deflateSync };

describe("a compressed body", () => {
  it.each(Object.entries(encoders))("is accepted as %s, in one piece or in parts, and is 400 if it is not that", async (name, encode) => {
    const headers = { "Content-Encoding": name };
    expect((await post(encode(message()), headers)).status).toBe(201);
    expect((await post(encode(message()), { "Content-Encoding": name.toUpperCase() })).status).toBe(201);
    const bytes = encode(message());
    expect((await post([bytes.subarray(0, 10), bytes.subarray(10)], headers)).status).toBe(201);
    for (const wrong of ["this is not compressed", encode(message()).subarray(0, 40)])
      expectError(await post(wrong, headers), "bad_request");
  });

  it.each(["zstd", "compress", "gzip, br", "x", "base64"])("is 415 for the Content-Encoding %s", async (encoding) => {
    expectError(await post(message(), { "Content-Encoding": encoding }), "unsupported_media_type");
  });
});

describe("the limit of 16 MiB", () => {
  const expectTooLarge = (answer: RawAnswer) => {
    expectError(answer, "payload_too_large");
    expect(answer.body.maxBytes).toBe(limits.bodyBytesMax);
  };
  /** A body of exactly `size` bytes that is one valid message. */
  const messageOfSize = (size: number) => message().padEnd(size, " ");
  const body = messageOfSize(limits.bodyBytesMax + 1);

  it("accepts a body of exactly that size, compressed or not", async () => {
    const exact = messageOfSize(limits.bodyBytesMax);
    for (const answer of [await post(exact), await post(gzipSync(exact), { "Content-Encoding": "gzip" })]) expect(answer.status).toBe(201);
  });

  it.each([...targets, { name: "mcp", method: "POST", path: "/mcp" }])("is 413 for one byte more at $name", async (target) => {
    expectTooLarge(await post(body, {}, target));
  });

  it("is 413 for one byte more, also chunked or compressed", async () => {
    const bytes = Buffer.from(body);
    expectTooLarge(await post([bytes.subarray(0, 5_000_000), bytes.subarray(5_000_000)]));
    for (const [name, encode] of Object.entries(encoders)) expectTooLarge(await post(encode(body), { "Content-Encoding": name }));
  });
});

describe("the Content-Type of a body", () => {
  const allowed = ["json", "json; charset=utf-8", 'json;charset="UTF-8"', "vnd.periscope+json"].map((type) => `application/${type}`);
  it.each([...allowed, "APPLICATION/JSON"])("may be %s", async (type) => {
    expect((await post(message(), { "Content-Type": type })).status).toBe(201);
  });

  const others = ["text/plain", "text/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/jsonp"];
  const charsets = ["latin1", "utf-16", "utf-16le", "utf-32", "utf-7", "nonsense"].map((charset) => `application/json; charset=${charset}`);
  it.each([undefined, "", "nonsense", ...others, ...charsets])("is 415 as %s", async (type) => {
    expectError(await post(message(), { "Content-Type": type }), "unsupported_media_type");
  });
});

describe("an invalid body is 400", () => {
  it("if it is missing", async () => {
    for (const answer of [post(undefined), post("", { "Content-Length": "0" }), post([], { "Transfer-Encoding": "chunked" }), post(" ")])
      expectError(await answer, "bad_request");
  });

  it.each(['{"password": hunter2}', '{"id": "hunter2', "hunter2", "[hunter2]", '{"a": "hunter2"} {}', "'hunter2'", '{"a":1,}hunter2'])(
    "for %s, without repeating it",
    async (text) => {
      const answer = await post(text);
      expectError(answer, "bad_request");
      expect(answer.text).not.toContain("hunter2");
    },
  );

  it.each(["null", "true", "5", '"text"', "[]", "{}"])("for the JSON %s", async (text) => {
    for (const target of targets) expectError(await post(text, {}, target), "bad_request");
  });
});

describe("the bounds of its JSON", () => {
  const settings = (config: object) => configMessage(crypto.randomUUID(), 0, config);
  const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [index.toString(36), 1]));
  const nested = (depth: number) => JSON.parse("[".repeat(depth) + "]".repeat(depth)) as unknown;
  const many = keys(100_000);
  const send = (body: unknown, path = syncTarget.path) => post(JSON.stringify(body), {}, { ...syncTarget, path });

  it.each([
    ["config", syncTarget.path, settings(many)],
    ["metadata", syncTarget.path, createMessage({ context: { metadata: many } })],
    ["a message", syncTarget.path, { ...createMessage(), ...many }],
    ["an unknown field", syncTarget.path, { ...createMessage(), unknown: many }],
    ["_meta of /mcp", "/mcp", { jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: many } }],
  ])("refuse 100,000 keys in %s with 413", async (_, path, body) => {
    const answer = await send(body, path);
    expectError(answer, "payload_too_large");
    expect(answer.body).toMatchObject({ message: expect.stringContaining("8192 members"), maxBytes: limits.bodyBytesMax });
  });

  it("refuse more than 32,768 members and elements spread over a batch with 413", async () => {
    const sendBatch = (perMessage: number) => {
      const messages = Array.from({ length: 100 }, () => settings(keys(perMessage)));
      return client.batch(messages, { extensionId: `e${perMessage}` });
    };
    const answer = await sendBatch(400);
    expectError(answer, "payload_too_large");
    expect(answer.body.message).toContain("32768 members");
    expect((await readMetrics(server)).value("periscope_http_past_bound_total", { bound: "json" })).toBeGreaterThan(0);
    expect((await sendBatch(300)).body).toMatchObject({ synced: 100 });
  });

  it("refuse more than 64 levels of nesting with 400, whatever follows", async () => {
    const answer = await post("[".repeat(1_000_000));
    expectError(answer, "bad_request");
    expect(answer.body.message).toContain("64 levels");
    expectError(await send({ ...createMessage(), unknown: nested(64) }), "bad_request");
    expect((await send({ ...createMessage(), unknown: nested(63) })).status).toBe(201);
  });

  it("allow 16 KiB of elements, keys or levels, and any signs in strings", async () => {
    const content = `${'{"a":[1,2,3],\\'.repeat(50_000)}"`;
    for (const config of [{ all: Array(8_160).fill(1) }, keys(1_900), { deep: nested(31) }])
      expect((await send(settings(config))).status).toBe(201);
    expect((await send(createMessage({ context: { content } }))).status).toBe(201);
  });
});
