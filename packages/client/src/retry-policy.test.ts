import { describe, expect, it, vi } from "vitest";
import { searchAnswer } from "../test/answers.js";
import { failureOf } from "../test/failure-of.js";
import { FastClock } from "../test/fast-clock.js";
import { answers, cuts, page, refuses, type Reply, ScriptedService, stalls } from "../test/scripted-service.js";

const finds = answers(200, searchAnswer());

describe("how often a search is sent that always ends so", () => {
  it.each<[string, Reply, number, string]>([
    ["400", refuses(400, "bad_request"), 1, "BadRequestError"],
    ["401", refuses(401, "unauthorized"), 1, "AuthenticationError"],
    ["403", refuses(403, "forbidden"), 1, "PermissionError"],
    ["404", refuses(404, "not_found"), 1, "NotFoundError"],
    ["405", refuses(405, "method_not_allowed"), 1, "ApiError"],
    ["408", page(408), 3, "ApiError"],
    ["409", page(409), 1, "ConflictError"],
    ["413", refuses(413, "payload_too_large", { "X-RateLimit-Reset": "1769860860" }), 1, "PayloadTooLargeError"],
    ["415", refuses(415, "unsupported_media_type"), 1, "ApiError"],
    ["418", page(418), 1, "ApiError"],
    ["425", page(425), 3, "ApiError"],
    ["429", refuses(429, "rate_limited", { "Retry-After": "1" }), 3, "RateLimitError"],
    ["500", refuses(500, "internal_error"), 3, "ServerError"],
    ["501", page(501), 1, "ServerError"],
    ["502", page(502), 3, "ServerError"],
    ["503", refuses(503, "unavailable", { "Retry-After": "1" }), 3, "ServerError"],
    ["504", page(504), 3, "ServerError"],
    ["505", page(505), 1, "ServerError"],
    ["a connection that is cut", cuts, 3, "ConnectionError"],
    ["no answer", stalls, 3, "TimeoutError"],
  ])("%s", async (_, reply, requests, name) => {
    using clock = new FastClock();
    using service = new ScriptedService(reply);
    const { error } = await clock.play(() => service.client().search("lamp"));
    expect(error).toMatchObject({ name, attempts: requests, retryable: requests > 1 });
    expect(service.received).toHaveLength(requests);
  });

  it.each([0, 1, 5])("%i times again when told so, by the client or by the call", async (maxRetries) => {
    using clock = new FastClock();
    using service = new ScriptedService(cuts);
    await clock.play(() => service.client({ maxRetries }).search("lamp"));
    expect(service.received).toHaveLength(maxRetries + 1);
    await clock.play(() => service.client().search("lamp", { maxRetries }));
    expect(service.received).toHaveLength(2 * (maxRetries + 1));
  });
});

describe("a key that comes from a function", () => {
  it("is asked for before each attempt, and trimmed", async () => {
    using clock = new FastClock();
    using service = new ScriptedService(cuts, finds);
    let asked = 0;
    await clock.play(() => service.client({ apiKey: async () => `token-${(asked += 1)}\n` }).search("lamp"));
    expect(service.received.map(({ headers }) => headers.get("authorization"))).toEqual(["Bearer token-1", "Bearer token-2"]);
  });

  it("is asked for once more when it is refused, at once, though there are no repeats", async () => {
    using service = new ScriptedService(refuses(401, "unauthorized"), finds);
    const keys = ["old", "new"];
    const { attempts } = await service
      .client({ apiKey: () => keys.shift() ?? "", maxRetries: 0 })
      .search("lamp")
      .withResponse();
    expect(attempts).toBe(2);
    expect(service.received.map(({ headers }) => headers.get("authorization"))).toEqual(["Bearer old", "Bearer new"]);
  });

  it("is not asked for a third time", async () => {
    using service = new ScriptedService(refuses(401, "unauthorized"));
    const error = await failureOf(service.client({ apiKey: () => "same" }).search("lamp"));
    expect(error).toMatchObject({ name: "AuthenticationError", attempts: 2 });
    expect(service.received).toHaveLength(2);
  });

  it("ends the call in time when it never comes", async () => {
    using clock = new FastClock();
    using service = new ScriptedService(finds);
    const { error, ms } = await clock.play(() =>
      service.client({ apiKey: () => new Promise(() => {}), deadlineMs: 15_000 }).search("lamp"),
    );
    expect(error).toMatchObject({ name: "TimeoutError", attempts: 0 });
    expect(ms).toBeLessThanOrEqual(15_000);
    expect(service.received).toEqual([]);
  });

  it("is asked for again when the function fails, and sent then", async () => {
    using clock = new FastClock();
    using service = new ScriptedService(refuses(503, "unavailable"), finds);
    const keys = [async () => "first", () => Promise.reject(new Error("getaddrinfo EAI_AGAIN")), async () => "third"];
    const { error } = await clock.play(() => service.client({ apiKey: () => keys.shift()!() }).search("lamp"));
    expect(error).toBeUndefined();
    expect(service.received.map(({ headers }) => headers.get("authorization"))).toEqual(["Bearer first", "Bearer third"]);
  });

  it("rejects the call when the function fails each time, with what was sent before, without showing the key", async () => {
    using clock = new FastClock();
    using service = new ScriptedService(refuses(503, "unavailable"));
    const keys = ["first"];
    let asked = 0;
    const apiKey = () => {
      asked += 1;
      const key = keys.shift();
      if (key !== undefined) return key;
      throw new Error("no key: psk_abc_0123456789");
    };
    const { error } = await clock.play(() => service.client({ apiKey }).search("lamp"));
    expect(error).toMatchObject({ name: "PeriscopeError", message: "The apiKey function failed: no key: [key]" });
    expect(error).toMatchObject({ attempts: 1, requestId: "req-7", retryable: true });
    expect([asked, service.received.length]).toEqual([3, 1]);
  });

  it("says what the function failed with, not that the service refused the connection", async () => {
    using service = new ScriptedService(finds);
    const apiKey = () => Promise.reject(Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:8200"), { code: "ECONNREFUSED" }));
    const error = await failureOf(service.client({ apiKey, maxRetries: 0 }).search("lamp"));
    expect(error).toMatchObject({ message: "The apiKey function failed: connect ECONNREFUSED 127.0.0.1:8200" });
  });

  it.each<[string, () => string]>([
    ["has none", () => ""],
    ["has one that no header can hold", () => "psk_abc_0123\n456789"],
  ])("rejects the call when it %s, without showing the key", async (_, apiKey) => {
    using service = new ScriptedService(finds);
    const error = await failureOf(service.client({ apiKey }).search("lamp"));
    expect(error).toMatchObject({ name: "PeriscopeError", attempts: 0, retryable: false });
    expect(JSON.stringify(error)).not.toContain("456789");
    expect(service.received).toEqual([]);
  });
});

it("survives an async onResponse that fails", async () => {
  using service = new ScriptedService(finds);
  const warned = vi.fn<(message: string, fields: object) => void>();
  const ignore = () => {};
  const client = service.client({
    logger: { error: ignore, warn: warned, info: ignore, debug: ignore },
    logLevel: "warn",
    onResponse: () => Promise.reject(new Error("a mistake of the caller's")),
  });
  await client.search("lamp");
  await vi.waitFor(() => expect(warned.mock.calls).toEqual([["periscope: onResponse failed", { call: "GET /context/search" }]]));
});

it("says what it does, without queries and keys", async () => {
  using clock = new FastClock();
  using service = new ScriptedService(refuses(503, "unavailable", { "Retry-After": "1" }), finds);
  const lines: unknown[] = [];
  const log = (level: string) => (message: string, fields: object) => lines.push([level, message, fields]);
  const logger = { error: log("error"), warn: log("warn"), info: log("info"), debug: log("debug") };
  const seen: unknown[] = [];
  const client = service.client({
    logger,
    logLevel: "debug",
    onResponse(info) {
      seen.push(info);
      throw new Error("a mistake of the caller's");
    },
  });
  expect((await clock.play(() => client.search("secret words"))).error).toBeUndefined();
  expect(seen).toMatchObject([
    { method: "GET", path: "/context/search", status: 503, attempts: 1, requestId: "req-7", rateLimit: null },
    { status: 200, attempts: 2 },
  ]);
  expect(lines.map((line) => (line as [string])[0])).toEqual(["debug", "info", "warn", "debug", "warn"]);
  expect(JSON.stringify(lines)).not.toMatch(/secret|psk_/);
});
