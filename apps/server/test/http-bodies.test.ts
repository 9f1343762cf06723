import type { OutgoingHttpHeaders } from "node:http";
import { brotliCompressSync, constants, deflateSync, gzipSync } from "node:zlib";
import { limits } from "@periscope/schemas";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectError } from "./answer-checks.js";
import { createMessage } from "./messages.js";
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

// Its best quality takes seconds for the largest bodies.
const brotli = (text: string) => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
const encoders = { gzip: gzipSync, br: brotli, deflate: deflateSync };
const encodings = Object.entries(encoders).map(([name, encode]) => ({ name, encode }));
const targets = routes
  .filter(({ hasBody }) => hasBody)
  .map(({ name, meta: { openapi } }) => ({ name, target: { method: openapi.method, path: `/api/v1${openapi.path}` } }));
const syncTarget = { method: "POST", path: "/api/v1/context/sync" };

/** Sends a body, by default to `POST /context/sync`; an undefined header replaces nothing and is left out. */
function post(body: RawRequest["body"], headers: OutgoingHttpHeaders = {}, target = syncTarget): Promise<RawAnswer> {
  const given = { Authorization: `Bearer ${client.key}`, "Content-Type": "application/json", ...headers };
  const sent = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return rawRequest(server.baseUrl, { ...target, headers: sent, body });
}

const message = () => JSON.stringify(createMessage());

/** A body of exactly `size` bytes that is one valid message. */
const messageOfSize = (size: number) => message().padEnd(size, " ");

describe("a compressed body", () => {
  it.each(encodings)("is accepted as $name, in one piece or in parts", async ({ name, encode }) => {
    expect((await post(encode(message()), { "Content-Encoding": name })).status).toBe(201);
    expect((await post(encode(message()), { "Content-Encoding": name.toUpperCase() })).status).toBe(201);
    const bytes = encode(message());
    const parts = [bytes.subarray(0, 10), bytes.subarray(10)];
    expect((await post(parts, { "Content-Encoding": name })).status).toBe(201);
  });

  it.each(["zstd", "compress", "gzip, br", "x", "base64"])("is 415 for the Content-Encoding %s", async (encoding) => {
    expectError(await post(message(), { "Content-Encoding": encoding }), "unsupported_media_type");
  });

  it.each(encodings)("is 400 if it is not $name, or ends too early", async ({ name, encode }) => {
    expectError(await post("this is not compressed", { "Content-Encoding": name }), "bad_request");
    expectError(await post(encode(message()).subarray(0, 40), { "Content-Encoding": name }), "bad_request");
  });
});

describe("the limit of 16 MiB", () => {
  const expectTooLarge = (answer: RawAnswer) => {
    expectError(answer, "payload_too_large");
    expect(answer.body.maxBytes).toBe(limits.bodyBytesMax);
  };
  const body = messageOfSize(limits.bodyBytesMax + 1);

  it("accepts a body of exactly that size, compressed or not", async () => {
    const exact = messageOfSize(limits.bodyBytesMax);
    for (const answer of [await post(exact), await post(gzipSync(exact), { "Content-Encoding": "gzip" })]) expect(answer.status).toBe(201);
  });

  it.each([...targets, { name: "mcp", target: { method: "POST", path: "/mcp" } }])(
    "is 413 for one byte more at $name",
    async ({ target }) => {
      expectTooLarge(await post(body, {}, target));
    },
  );

  it("is 413 for one byte more, also chunked or compressed", async () => {
    expect(body).toHaveLength(16_777_217);
    const bytes = Buffer.from(body);
    expectTooLarge(await post([bytes.subarray(0, 5_000_000), bytes.subarray(5_000_000)]));
    for (const { name, encode } of encodings) expectTooLarge(await post(encode(body), { "Content-Encoding": name }));
  });
});

describe("the Content-Type of a body", () => {
  it.each([
    "application/json",
    "APPLICATION/JSON",
    "application/json; charset=utf-8",
    'application/json;charset="UTF-8"',
    "application/vnd.periscope+json",
  ])("may be %s", async (type) => {
    expect((await post(message(), { "Content-Type": type })).status).toBe(201);
  });

  const others = ["text/plain", "text/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/jsonp"];
  const charsets = ["latin1", "iso-8859-1", "windows-1252", "nonsense"].map((charset) => `application/json; charset=${charset}`);
  it.each([undefined, "", "nonsense", ...others, ...charsets])("is 415 as %s", async (type) => {
    expectError(await post(message(), { "Content-Type": type }), "unsupported_media_type");
  });
});

describe("an invalid body", () => {
  it("is 400 if it is missing", async () => {
    for (const answer of [post(undefined), post("", { "Content-Length": "0" }), post([], { "Transfer-Encoding": "chunked" }), post(" ")])
      expectError(await answer, "bad_request");
  });

  it.each(['{"password": hunter2}', '{"id": "hunter2', "hunter2", "[hunter2]", '{"a": "hunter2"} {}', "'hunter2'", '{"a":1,}hunter2'])(
    "is 400 for %s, without repeating it",
    async (text) => {
      const answer = await post(text);
      expectError(answer, "bad_request");
      expect(answer.text).not.toContain("hunter2");
    },
  );

  it.each(["null", "true", "5", '"text"', "[]", "{}"])("is 400 for the JSON %s", async (text) => {
    for (const { target } of targets) expectError(await post(text, {}, target), "bad_request");
  });
});

it("how a body arrives is ignored on routes that take no body", async () => {
  const headers = { Authorization: `Bearer ${client.key}`, "Content-Type": "text/plain", "Content-Length": "7" };
  const answer = await rawRequest(server.baseUrl, { path: "/api/v1/context/history", headers, body: "ignored" });
  expect(answer.status).toBe(200);
});
