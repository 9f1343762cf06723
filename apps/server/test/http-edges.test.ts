import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectError, expectRateHeaders } from "./answer-checks.js";
import { createMessage } from "./messages.js";
import { RawConnection } from "./raw-connection.js";
import { rawRequest } from "./raw-request.js";
import { routes, sampleOf } from "./sample-requests.js";
import type { TestClient } from "./test-client.js";
import { TestServer } from "./test-server.js";

let server: TestServer;
let client: TestClient;
beforeAll(async () => {
  server = await TestServer.start();
  client = await server.client();
  await client.sync(createMessage({ context: { id: "context" } }));
});
afterAll(() => server[Symbol.asyncDispose]());

const raw = (path: string, method = "GET", headers: Record<string, string> = {}) =>
  rawRequest(server.baseUrl, { path, method, headers: { Authorization: `Bearer ${client.key}`, ...headers } });
const startLimited = (limits: object) => TestServer.start({ rateLimits: { ...server.config.rateLimits, ...limits } });

describe("paths and methods", () => {
  it("answers 404 to unknown paths, and 400 or 404 to broken encoding", async () => {
    const below = ["", "/", "/context", "/context/", "/nothing", "/context/history/", "//context/history", "/context/../context/history"];
    const unknown = [...below, "/context/%2e%2e/history", "/%zz/history"].map((path) => `/api/v1${path}`);
    for (const path of [...unknown, "/api/v2/context/history", "/admin", "/openapi.json", "/api/v1/docs/", "/%zz"])
      expectError(await raw(path), "not_found");
    for (const path of ["/api/v1/context/%zz", "/api/v1/context/%ff"]) expectError(await raw(path), "bad_request");
  });

  it.each(["http://elsewhere.example:80", "HTTPS://elsewhere.example", "http://[::1]:3000"])(
    "accepts the absolute form of a request target: %s",
    async (origin) => {
      expect((await raw(`${origin}/api/v1/context/history?limit=7`)).body).toMatchObject({ total: 1, limit: 7 });
      expect((await raw(`${origin}/healthz`)).body).toEqual({ status: "ok" });
      for (const rest of ["", "?q", "?/api/v1/context/history"])
        expect((await raw(origin + rest)).headers.get("content-type")).toContain("html");
      for (const rest of ["//api/v1/context/history", "/api/v1/nothing"]) expectError(await raw(origin + rest), "not_found");
    },
  );

  const reading = routes.filter(({ meta }) => meta.openapi.method === "GET" && !meta.isLive).map((route) => ({ name: route.name, route }));
  it.each(reading)("answers HEAD of $name with the headers of GET and no body", async ({ route }) => {
    const path = `/api/v1${sampleOf(route, "context").path}`;
    const [head, get] = [await raw(path, "HEAD"), await raw(path)];
    expect([head.status, head.text]).toEqual([200, ""]);
    for (const name of ["content-length", "content-type"]) expect(head.headers.get(name)).toBe(get.headers.get(name));
    expectRateHeaders(head);
  });
});

it("repeats the caller's request id if that is safe, and makes a new one otherwise", async () => {
  const idsFor = async (id: string) => {
    const { headers, body } = await raw("/api/v1/context/nobody-has-it", "GET", { "X-Request-Id": id });
    return [headers.get("x-request-id"), body.requestId];
  };
  for (const id of ["a", "7d0f6d5e-3b0c-4c7e-9d25-0f6f3c0d7a41", "A.b_c-9", "x".repeat(64)]) expect(await idsFor(id)).toEqual([id, id]);
  const made = new Set<unknown>();
  for (const id of ["", " ", "x".repeat(65), "<script>", "a b", 'a"b', "é", "../../etc", "a,b", "{}"]) {
    const [header, told] = await idsFor(id);
    expect([header, told]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), header]);
    made.add(told);
  }
  expect(made.size).toBe(10);
});

describe("rate budgets", () => {
  it("count errors, too", async () => {
    await using own = await startLimited({ read: 2 });
    const caller = await own.client();
    own.clock.now = Date.UTC(2026, 0, 31, 12, 0, 59, 999);
    const statuses = [];
    for (const path of ["history?limit=wrong", "nothing/here", "history"]) statuses.push((await caller.get(`/context/${path}`)).status);
    expect(statuses).toEqual([400, 404, 429]);
  });

  it("take a batch sent to /context/sync from the budget of batch-sync as well", async () => {
    await using own = await startLimited({ sync: 5, batchSync: 2 });
    own.clock.now = Date.UTC(2026, 0, 31, 12);
    const caller = await own.client();
    const sendBatch = () => caller.sync({ id: "b", type: "batch", timestamp: "2026-01-31T12:00:00Z", messages: [createMessage()] });
    const first = await sendBatch();
    expect([first.status, first.headers.get("x-ratelimit-limit"), first.headers.get("x-ratelimit-remaining")]).toEqual([207, "2", "1"]);
    expect((await caller.batch([createMessage()])).status).toBe(207);
    const refused = await sendBatch();
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
    expect((await caller.get("/context/history")).body.total).toBe(2);
    // Single messages still pass: two of their budget went to the batches.
    const single = await caller.sync(createMessage());
    expect([single.status, single.headers.get("x-ratelimit-remaining")]).toEqual([201, "2"]);
    expect((await caller.get("/key")).body.limits).toMatchObject({ sync: { remaining: 2 }, "batch-sync": { remaining: 0 } });
  });
});

it("tells the server's time when a message is more than 24 hours ahead of it", async () => {
  await using own = await TestServer.start();
  own.clock.now = Date.UTC(2026, 0, 29, 12);
  const { status, body } = await (await own.client()).sync(createMessage());
  const problem = "is more than 24 hours ahead of the server's clock, which says 2026-01-29T12:00:00.000Z. Check both clocks.";
  expect([status, body.message]).toEqual([400, `timestamp: ${problem}`]);
});

it("serves keyless pages by GET and HEAD alone, without budget and rate headers", async () => {
  await using own = await startLimited({ anonymous: 1 });
  for (const path of ["/healthz", "/readyz", "/metrics", "/api/v1/openapi.json", "/api/v1/docs", "/api/v1/docs/scalar.js"])
    for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
      const { status, headers } = await rawRequest(own.baseUrl, { path, method });
      expect([...headers.keys()].filter((name) => name.startsWith("x-ratelimit"))).toEqual([]);
      expect(headers.get("x-request-id")).toBeTruthy();
      const allowed = method === "GET" || method === "HEAD" ? null : "GET, HEAD";
      expect([path, method, status, headers.get("allow")]).toEqual([path, method, allowed ? 405 : 200, allowed]);
    }
  expect((await rawRequest(own.baseUrl, { path: "/healthz" })).body).toEqual({ status: "ok" });
  expect((await rawRequest(own.baseUrl, { path: "/readyz" })).body).toEqual({ status: "ready" });
  expect((await rawRequest(own.baseUrl, { path: "/api/v1/context/current" })).headers.get("x-ratelimit-remaining")).toBe("0");
});

it("compresses the portal's files as the client accepts, and lets it cache them for ever", async () => {
  const { text } = await raw("/");
  const path = /\/assets\/[\w.-]+\.js/.exec(text)?.[0] ?? "";
  const cases = { "": null, gzip: "gzip", "gzip, br": "br", "br;q=0, gzip": "gzip", "identity, br;q=0": null };
  for (const [accepted, packed] of Object.entries(cases)) {
    const { status, headers } = await raw(path, "GET", { "Accept-Encoding": accepted });
    expect([accepted, status, headers.get("content-encoding")]).toEqual([accepted, 200, packed]);
    expect(headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(headers.get("vary")).toBe("Accept-Encoding");
  }
});

describe("CORS", () => {
  const page = "https://app.example";
  const extension = "chrome-extension://abcdefghijklmnopabcdefghijklmnop";
  const preflight = { "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization,content-type" };
  const corsHeaders = (headers: Headers) => [...headers.keys()].filter((name) => name.startsWith("access-control-"));
  const from = (own: TestServer, origin: string, method = "GET", headers = {}) =>
    rawRequest(own.baseUrl, { path: "/api/v1/context/current", method, headers: { Origin: origin, ...headers } });

  it("is off by default", async () => {
    for (const origin of [page, extension, "null"])
      for (const answer of [await from(server, origin), await from(server, origin, "OPTIONS", preflight)])
        expect(corsHeaders(answer.headers)).toEqual([]);
  });

  it("allows exactly the listed origins", async () => {
    await using own = await TestServer.start({ corsOrigins: [page] });
    const { headers } = await from(own, page);
    expect(headers.get("access-control-allow-origin")).toBe(page);
    expect(headers.get("access-control-allow-credentials")).toBeNull();
    const exposed = headers.get("access-control-expose-headers")?.toLowerCase().split(/,\s*/).sort();
    const rate = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"];
    // The last one names the metadata for those who sign in to /mcp.
    expect(exposed).toEqual(["retry-after", "www-authenticate", ...rate, "x-request-id"]);
    const others = ["https://app.example.evil", "http://app.example", "https://app.example:8443", "https://xapp.example", "null"];
    for (const origin of [...others, extension]) expect([origin, corsHeaders((await from(own, origin)).headers)]).toEqual([origin, []]);
    for (const origin of [page, extension]) expect((await from(own, origin)).headers.get("vary")).toMatch(/\bOrigin\b/i);
  });

  it("allows extensions, and no page, with CORS_EXTENSIONS", async () => {
    await using own = await TestServer.start({ corsExtensions: true });
    for (const origin of [extension, "moz-extension://7d0f6d5e-3b0c-4c7e-9d25-0f6f3c0d7a41"])
      expect((await from(own, origin)).headers.get("access-control-allow-origin")).toBe(origin);
    for (const origin of [page, "https://chrome-extension.example", "https://x/chrome-extension://", "null"])
      expect(corsHeaders((await from(own, origin)).headers)).toEqual([]);
  });

  it("answers a preflight without a key or a budget", async () => {
    const rateLimits = { ...server.config.rateLimits, anonymous: 1 };
    await using own = await TestServer.start({ corsOrigins: [page], rateLimits });
    for (let count = 0; count < 3; count++) {
      const { status, text, headers } = await from(own, page, "OPTIONS", preflight);
      expect([status, text, headers.get("access-control-allow-origin")]).toEqual([204, "", page]);
      expect(headers.get("access-control-allow-methods")?.split(/,\s*/)).toEqual(expect.arrayContaining(["GET", "POST", "DELETE"]));
      expect(headers.get("access-control-allow-headers")?.toLowerCase()).toMatch(/authorization.*content-type.*last-event-id/);
    }
    const actual = await from(own, page);
    expect([actual.status, actual.headers.get("access-control-allow-origin")]).toEqual([401, page]);
  });
});

describe("a request that is not valid HTTP", () => {
  const send = async (own: TestServer, text: string) => {
    using connection = RawConnection.open(own.baseUrl).write(text);
    await connection.closed;
    return connection.answers[0]!;
  };
  const sync = "POST /api/v1/context/sync HTTP/1.1\r\nHost: x\r\n";
  const broken = {
    "no request line": "hello\r\n\r\n",
    "an unknown method": "G@T / HTTP/1.1\r\nHost: x\r\n\r\n",
    "headers over 16 KiB": `GET / HTTP/1.1\r\nHost: x\r\nX: ${"x".repeat(20_000)}\r\n\r\n`,
    "raw bytes in the line": "GET /api/v1/context/history?tabId=\xe9 HTTP/1.1\r\nHost: x\r\n\r\n",
    "a broken chunk": `${sync}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
    "two lengths": `${sync}Content-Length: 5\r\nContent-Length: 6\r\n\r\n`,
    "no Host": "GET /api/v1/context/history HTTP/1.1\r\nConnection: close\r\n\r\n",
    "an unknown expectation": "GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: banana\r\nConnection: close\r\n\r\n",
  };

  it("is 400 with the usual body, and takes from the budget of its address", async () => {
    await using own = await startLimited({ anonymous: 1 });
    const now = (own.clock.now = Date.UTC(2026, 0, 31, 12, 0, 59));
    for (const [what, text] of Object.entries(broken)) {
      const answer = await send(own, text);
      expect([what, answer.status, answer.headers.get("x-ratelimit-remaining")]).toEqual([what, 400, "0"]);
      expectError(answer, "bad_request", now);
    }
  });

  it("is none by HTTP/1.0 without a Host or with an unknown expectation", async () => {
    for (const header of ["", "Expect: banana\r\n"])
      expect(await send(server, `GET /healthz HTTP/1.0\r\n${header}\r\n`)).toMatchObject({ status: 200, body: { status: "ok" } });
  });
});
