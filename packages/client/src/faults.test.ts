import { getEventListeners } from "node:events";
import { inspect } from "node:util";
import { describe, expect, it, vi } from "vitest";
import { calls } from "../test/calls.js";
import { failureOf } from "../test/failure-of.js";
import { FastClock } from "../test/fast-clock.js";
import {
  cuts,
  cutsInBody,
  hasNoRoute,
  page,
  refuses,
  type Reply,
  ScriptedService,
  stalls,
  stallsInBody,
} from "../test/scripted-service.js";
import {
  AbortedError,
  ApiError,
  ConnectionError,
  Periscope,
  PeriscopeError,
  RateLimitError,
  ResponseShapeError,
  ServerError,
  TimeoutError,
} from "./index.js";

const baseUrl = "http://periscope.test/api/v1";
const seconds = Date.parse("2026-01-31T12:00:00Z") / 1_000;

describe.each(calls)("$name", ({ name, run, succeeds }) => {
  it("is sent again, the same, when the service took it and the connection was cut", async () => {
    using clock = new FastClock();
    using service = new ScriptedService(cuts, cutsInBody, succeeds);
    const { error } = await clock.play(() => run(service.client()));
    expect(error).toBeUndefined();
    const sent = service.received.map(({ method, path, body }) => {
      // The envelope of a batch is recorded nowhere; its messages are.
      const messages = name === "syncAll" ? (JSON.parse(body) as { messages: unknown }).messages : body;
      return JSON.stringify({ method, path, messages });
    });
    expect(sent).toHaveLength(3);
    expect(new Set(sent).size).toBe(1);
  });

  it.each<[string, Record<string, string>, number]>([
    ["whole seconds", { "Retry-After": "20" }, 20_000],
    ["an HTTP date", { "Retry-After": "Sat, 31 Jan 2026 12:00:20 GMT" }, 20_000],
    ["a reset in seconds", { "X-RateLimit-Reset": String(seconds + 20) }, 20_000],
    ["a reset in milliseconds", { "X-RateLimit-Reset": String((seconds + 20) * 1_000) }, 20_000],
    ["a reset as an ISO date", { "X-RateLimit-Reset": "2026-01-31T12:00:20Z" }, 20_000],
    ["a negative number", { "Retry-After": "-20" }, 500],
    ["an empty header", { "Retry-After": "" }, 500],
    ["no header", {}, 500],
  ])("waits as a 429 says it by %s", async (_, headers, leastMs) => {
    using clock = new FastClock();
    using service = new ScriptedService(refuses(429, "rate_limited", headers), succeeds);
    const { error } = await clock.play(() => run(service.client()));
    expect(error).toBeUndefined();
    const [first, second] = service.received;
    const waited = (second?.at ?? 0) - (first?.at ?? 0);
    expect(waited).toBeGreaterThanOrEqual(leastMs);
    expect(waited).toBeLessThanOrEqual(2 * leastMs);
  });

  it.each<[string, Record<string, string>]>([
    ["seconds", { "Retry-After": "90" }],
    ["a huge number", { "Retry-After": "99999999999" }],
  ])("says when the limit ends, at once, when that is past its deadline: %s", async (_, retryAfter) => {
    using clock = new FastClock();
    const headers = { ...retryAfter, "X-RateLimit-Limit": "120", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": String(seconds + 90) };
    using service = new ScriptedService(refuses(429, "rate_limited", headers));
    const { error, ms } = await clock.play(() => run(service.client({ deadlineMs: 60_000 })));
    expect(RateLimitError.is(error)).toBe(true);
    const retryAfterMs = Math.min(Number(retryAfter["Retry-After"]) * 1_000, 3_600_000);
    const details = { status: 429, code: "rate_limited", attempts: 1, requestId: "req-7", retryable: true };
    expect(error).toMatchObject({ ...details, limit: 120, remaining: 0, resetAt: new Date((seconds + 90) * 1_000), retryAfterMs });
    expect(String(error)).toContain(", the rate limit resets after deadlineMs (60000): 429 rate_limited");
    expect(ms).toBe(0);
  });

  it.each<[string, Reply, object]>([
    ["a service that fails", refuses(500, "internal_error"), { status: 500, code: "internal_error", requestId: "req-7" }],
    [
      "a service that shuts down",
      refuses(503, "unavailable", { "Retry-After": "2" }),
      { status: 503, code: "unavailable", requestId: "req-7" },
    ],
    ["a proxy that fails", page(502), { status: 502, code: "http_502", requestId: null, body: "<html><title>Welcome</title></html>" }],
  ])("gives up on %s after three requests", async (_, reply, details) => {
    using clock = new FastClock();
    using service = new ScriptedService(reply);
    const { error } = await clock.play(() => run(service.client()));
    expect(ServerError.is(error)).toBe(true);
    expect(error).toMatchObject({ ...details, attempts: 3, retryable: true });
    expect(service.received).toHaveLength(3);
  });

  it("does not wait for a rate window because of a 503", async () => {
    using clock = new FastClock();
    using service = new ScriptedService(refuses(503, "unavailable", { "X-RateLimit-Reset": String(seconds + 50) }), succeeds);
    const { error, ms } = await clock.play(() => run(service.client()));
    expect(error).toBeUndefined();
    expect(ms).toBeLessThan(2_000);
  });

  it.each<[string, Reply]>([
    ["a connection that is cut", cuts],
    ...(name === "delete" ? [] : ([["an answer that is cut", cutsInBody]] as [string, Reply][])),
  ])("gives up on %s after three requests", async (_, reply) => {
    using clock = new FastClock();
    using service = new ScriptedService(reply);
    const { error } = await clock.play(() => run(service.client()));
    expect(ConnectionError.is(error)).toBe(true);
    expect(error).toMatchObject({ attempts: 3, retryable: true });
    expect(service.received).toHaveLength(3);
  });

  it.each<[string, Reply]>([
    ["no answer", stalls],
    ["half an answer", stallsInBody],
  ])("ends each attempt, and itself, in time when there is %s", async (_, reply) => {
    using clock = new FastClock();
    using service = new ScriptedService(reply);
    const tried = await clock.play(() => run(service.client({ timeoutMs: 4_000 })));
    expect(TimeoutError.is(tried.error)).toBe(true);
    expect(tried.error).toMatchObject({ attempts: 3, limit: "timeoutMs", retryable: true });
    expect(tried.ms).toBeLessThan(3 * 4_000 + 3_500);
    const late = await clock.play(() => run(service.client({ timeoutMs: 4_000, deadlineMs: 7_000, maxRetries: 50 })));
    expect(late.error).toMatchObject({ name: "TimeoutError", attempts: 2, limit: "deadlineMs" });
    expect(String(late.error)).toMatch(/ within deadlineMs 7000; a higher deadlineMs waits longer\.$/);
    expect(late.ms).toBeLessThanOrEqual(7_000);
  });

  it("takes the page of a login for no answer, and asks for it once", async () => {
    using service = new ScriptedService(page(200));
    const error = await failureOf(run(service.client()));
    expect(ResponseShapeError.is(error)).toBe(true);
    expect(error).toMatchObject({ status: 200, attempts: 1, issues: [{ path: "", message: "must be JSON" }] });
    expect(service.received).toHaveLength(1);
  });

  it("takes other JSON for no answer", async () => {
    using service = new ScriptedService(() => Response.json({ ok: true }));
    const error = await failureOf(run(service.client()));
    expect(ResponseShapeError.is(error)).toBe(true);
    expect(error).toMatchObject({ retryable: false });
  });

  it.each([301, 302, 303, 307, 308])("does not follow a redirect by %i, and says where it leads", async (status) => {
    const Location = "http://lamp:token-9f8e7d6c5b4a@periscope.test/api/v1/elsewhere?next=token-9f8e7d6c5b4a#token-9f8e7d6c5b4a";
    using service = new ScriptedService(() => new Response(null, { status, headers: { Location } }), succeeds);
    const error = await failureOf(run(service.client()));
    expect(error).toMatchObject({ name: "ApiError", status, code: `http_${status}`, attempts: 1, retryable: false });
    expect(String(error)).toMatch(/: 30\d http_30\d, a redirect to http:\/\/periscope\.test\/api\/v1\/elsewhere, [^?#@]*baseUrl/);
    expect(String(error)).not.toContain("token-9f8e7d6c5b4a");
    expect(service.received).toHaveLength(1);
  });

  it("says no status of a redirect that the browser hides", async () => {
    const hidden = Object.defineProperties(Response.error(), { type: { value: "opaqueredirect" } });
    using service = new ScriptedService(succeeds);
    const error = await failureOf(run(service.client({ fetch: async () => hidden })));
    expect(error).toMatchObject({
      name: "ApiError",
      status: 0,
      message: expect.stringMatching(/^\w+ [^:]*: a redirect, which is not followed; /),
    });
  });

  it("does not call every answer without a status a redirect", async () => {
    using service = new ScriptedService(succeeds);
    const error = await failureOf(run(service.client({ fetch: async () => Response.error() })));
    expect(error).toMatchObject({ name: "ApiError", status: 0, message: expect.stringContaining("not an answer of Periscope") });
  });

  it("takes a proxy's 404 for no answer about contexts", async () => {
    using service = new ScriptedService(page(404));
    expect(await failureOf(run(service.client()))).toMatchObject({ name: "NotFoundError", code: "http_404" });
  });

  it("does not take the 404 of an unknown path for an answer about contexts", async () => {
    using service = new ScriptedService(hasNoRoute);
    const error = await failureOf(run(service.client()));
    expect(error).toMatchObject({ name: "NotFoundError", code: "not_found", message: expect.stringContaining("check baseUrl") });
  });

  it("can be aborted before and during an attempt or a wait, and leaves no listener", async () => {
    using clock = new FastClock();
    for (const [reply, abortAfterMs, attempts] of [
      [succeeds, undefined, 0],
      [stalls, 1_000, 1],
      [stallsInBody, 1_000, 1],
      [refuses(429, "rate_limited", { "Retry-After": "20" }), 1_000, 1],
    ] as const) {
      using service = new ScriptedService(reply);
      const controller = new AbortController();
      const reason = new Error("enough");
      if (abortAfterMs === undefined) controller.abort(reason);
      else setTimeout(() => controller.abort(reason), abortAfterMs);
      const { error, ms } = await clock.play(() => run(service.client(), { signal: controller.signal }));
      expect(AbortedError.is(error)).toBe(true);
      expect(error).toMatchObject({ attempts, cause: reason, retryable: false });
      expect(ms).toBe(abortAfterMs ?? 0);
      expect(getEventListeners(controller.signal, "abort")).toEqual([]);
    }
  });

  it("leaves no listener and no timer behind when it succeeds after a repeat", async () => {
    using clock = new FastClock();
    using service = new ScriptedService(cuts, succeeds);
    const { signal } = new AbortController();
    expect((await clock.play(() => run(service.client(), { signal }))).error).toBeUndefined();
    expect(getEventListeners(signal, "abort")).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("shows the key in no error, whatever the answer quotes", async () => {
    const key = "token-9f8e7d6c5b4a";
    const other = "psk_abc_0123456789ABCDEF";
    const quote: Reply = ({ headers }) =>
      Response.json({ error: "bad_request", message: `${headers.get("authorization")} ${other}`, [key]: key }, { status: 400 });
    const quotePage: Reply = ({ headers }) => new Response(`<pre>${headers.get("authorization")} ${other}</pre>`, { status: 400 });
    for (const reply of [quote, quotePage]) {
      using service = new ScriptedService(reply);
      const error = await failureOf(run(service.client({ apiKey: () => key })));
      expect(ApiError.is(error)).toBe(true);
      const shown = [inspect(error, { depth: 9, showHidden: true }), JSON.stringify(error), String(error), (error as Error).stack].join(
        "\n",
      );
      expect(shown).toContain("[key]");
      expect(shown).not.toContain(key);
      expect(shown).not.toContain(other);
    }
  });

  it("rejects with an error of its own, without the key, when fetch throws", async () => {
    using service = new ScriptedService(succeeds);
    const key = "token-9f8e7d6c5b4a";
    const error = await failureOf(
      run(
        service.client({ apiKey: () => key, maxRetries: 0, fetch: () => Promise.reject(new TypeError(`Invalid header: Bearer ${key}`)) }),
      ),
    );
    expect(PeriscopeError.is(error)).toBe(true);
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(key);
  });
});

describe("a connection that fails", () => {
  const key = "token-9f8e7d6c5b4a";

  it.each<[string, string, string]>([
    ["ECONNREFUSED", "connect ECONNREFUSED 127.0.0.1:9", "Connection refused. Is Periscope running at this address?"],
    ["ENOTFOUND", "getaddrinfo ENOTFOUND periscope.test", "No such host."],
    [
      "ERR_SSL_WRONG_VERSION_NUMBER",
      "C0:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:ssl3_record.c:354:",
      "The server does not use HTTPS. Try http://.",
    ],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "self-signed certificate", "self-signed certificate"],
  ])("says why in plain words, and keeps those of the runtime as its cause, without the key: %s", async (code, words, plain) => {
    const inner = Object.assign(new Error(`${words} ${key}`), { code });
    const fetch = () => Promise.reject(new TypeError("fetch failed", { cause: inner }));
    const error = await failureOf(new Periscope({ baseUrl, apiKey: () => key, maxRetries: 0, fetch }).current());
    expect(error).toMatchObject({ name: "ConnectionError", cause: { message: `${words} [key]`, code } });
    expect(String(error)).toContain(`sent once: no answer from ${baseUrl}: ${plain}`);
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(key);
  });

  it("says that a real connection was refused", async () => {
    // Nothing listens at port 2, and fetch does not block it as it does port 1.
    const error = await failureOf(new Periscope({ baseUrl: "http://127.0.0.1:2", apiKey: () => key, maxRetries: 0 }).current());
    expect(String(error)).toContain("Connection refused.");
  });
});
