import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { failureOf } from "../test/failure-of.js";
import { FastClock } from "../test/fast-clock.js";
import { cuts, page, refuses, type Reply, ScriptedService, stalls } from "../test/scripted-service.js";
import { AbortedError, type CallOptions, type Periscope, type ResponseInfo } from "./index.js";

const header = { kind: "header", contexts: 2 };
const end = { kind: "end" };
const context = (id: string) => ({ kind: "context", contextId: id, timestamp: "2026-01-31T12:00:00.000Z" });
const written = (lines: readonly object[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join("");

/** Answers with these lines, then ends, is cut, or comes no further. */
const sends =
  (lines: readonly object[], then: "ends" | "cut" | "stalls" = "ends"): Reply =>
  () => {
    const chunks = [written(lines)];
    const body = new ReadableStream<Uint8Array>({
      pull(stream) {
        const chunk = chunks.shift();
        if (chunk !== undefined) return stream.enqueue(new TextEncoder().encode(chunk));
        if (then === "ends") return stream.close();
        // Not before the lines have come through: an error overtakes what is on its way.
        if (then === "cut") setTimeout(() => stream.error(new TypeError("terminated")), 1);
        return new Promise(() => {});
      },
    });
    return new Response(body, { headers: { "Content-Type": "application/x-ndjson" } });
  };

const whole = sends([header, context("a"), context("b"), end]);

async function exported(periscope: Periscope, options?: CallOptions): Promise<string[]> {
  const ids: string[] = [];
  for await (const item of periscope.data.export({}, options)) if (item.kind === "context") ids.push(item.contextId);
  return ids;
}

describe("an export", () => {
  it.each<[string, Reply]>([
    ["is cut", sends([header, context("a")], "cut")],
    ["ends before its last line", sends([header, context("a")])],
    ["comes no further", sends([header, context("a")], "stalls")],
  ])("goes on behind the last context when it %s", async (_, broken) => {
    using clock = new FastClock();
    using service = new ScriptedService(broken, sends([header, context("b"), end]));
    const { value, ms } = await clock.play(() => exported(service.client({ timeoutMs: 1_000 })));
    expect(value).toEqual(["a", "b"]);
    expect(service.received[1]?.path).toContain("after=2026-01-31T12%3A00%3A00.000Z%2Ca");
    expect(ms).toBeLessThanOrEqual(2_000);
  });

  it.each<[string, Reply, object]>([
    ["no answer", stalls, { name: "TimeoutError", limit: "timeoutMs" }],
    ["no connection", cuts, { name: "ConnectionError" }],
    ["half an answer", sends([header], "stalls"), { name: "ConnectionError" }],
    ["a proxy that fails", page(502), { name: "ServerError", status: 502 }],
  ])("gives up on %s after three requests", async (_, reply, failure) => {
    using clock = new FastClock();
    using service = new ScriptedService(reply);
    const { error, ms } = await clock.play(() => exported(service.client(), { timeoutMs: 1_000 }));
    expect(error).toMatchObject({ ...failure, attempts: 3, retryable: true });
    expect(service.received).toHaveLength(3);
    expect(ms).toBeLessThanOrEqual(6_000);
  });

  it("may take longer than timeoutMs and deadlineMs while it is read", async () => {
    using clock = new FastClock();
    using service = new ScriptedService(whole);
    const { value } = await clock.play(async () => {
      const ids: string[] = [];
      for await (const item of service.client().data.export({}, { timeoutMs: 1_000, deadlineMs: 1_000 })) {
        if (item.kind === "context") ids.push(item.contextId);
        await new Promise((resolve) => setTimeout(resolve, 5_000));
      }
      return ids;
    });
    expect([value, service.received.length]).toEqual([["a", "b"], 1]);
  });

  it.each<[string, number, Reply]>([
    ["a 429", 20_000, refuses(429, "rate_limited", { "Retry-After": "20" })],
    ["a 503", 20_000, refuses(503, "unavailable", { "Retry-After": "20" })],
    ["a 502 of a proxy", 500, page(502)],
  ])("waits after %s as long as it says, also when it goes on", async (_, leastMs, reply) => {
    using clock = new FastClock();
    using service = new ScriptedService(reply, sends([header, context("a")], "cut"), reply, sends([header, context("b"), end]));
    const { value, ms } = await clock.play(() => exported(service.client()));
    expect(value).toEqual(["a", "b"]);
    expect(ms).toBeGreaterThanOrEqual(2 * leastMs);
  });

  it("asks for the key once more when it is refused, and tells of each answer", async () => {
    using service = new ScriptedService(refuses(401, "unauthorized"), whole);
    const keys = ["old", "new"];
    const seen: ResponseInfo[] = [];
    const client = service.client({ apiKey: () => keys.shift() ?? "", maxRetries: 0, onResponse: (info) => void seen.push(info) });
    expect(await exported(client)).toEqual(["a", "b"]);
    expect(seen).toMatchObject([
      { path: "/data/export", status: 401, attempts: 1 },
      { path: "/data/export", status: 200, attempts: 2 },
    ]);
  });

  it.each<[string, Reply | undefined, CallOptions]>([
    ["the key function hangs", undefined, {}],
    ["there is no answer", stalls, {}],
    ["half of it has come", sends([header, context("a")], "stalls"), {}],
    ["half of it has come, and nothing is sent again", sends([header, context("a")], "stalls"), { maxRetries: 0 }],
    ["it waits", refuses(429, "rate_limited", { "Retry-After": "20" }), {}],
  ])("can be aborted while %s, and leaves no listener", async (_, reply, options) => {
    using clock = new FastClock();
    using service = new ScriptedService(reply ?? whole);
    const client = reply ? service.client() : service.client({ apiKey: () => new Promise(() => {}) });
    const controller = new AbortController();
    const reason = new Error("enough");
    setTimeout(() => controller.abort(reason), 1_000);
    const { error, ms } = await clock.play(() => exported(client, { ...options, signal: controller.signal }));
    expect(AbortedError.is(error)).toBe(true);
    expect(error).toMatchObject({ cause: reason, retryable: false });
    expect(ms).toBe(1_000);
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  });

  it.each<[string, string]>([
    ["in one line", "<html><title>Welcome</title></html>"],
    ["in several lines", "<html>\n<title>Welcome</title>\n</html>\n"],
    ["of JSON", '{"ok":true}\n'],
  ])("takes the page of a login for no export: %s", async (_, text) => {
    using service = new ScriptedService(page(200, text));
    expect(await failureOf(exported(service.client()))).toMatchObject({ name: "ResponseShapeError", status: 200, attempts: 1 });
    expect(service.received).toHaveLength(1);
  });
});
