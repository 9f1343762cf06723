import { describe, expect, it } from "vitest";
import { failureOf } from "../test/failure-of.js";
import { FastClock } from "../test/fast-clock.js";
import { answers, cuts, cutsInBody, page, refuses, type Reply, ScriptedService, stalls } from "../test/scripted-service.js";
import { type CallOptions, type Periscope, PeriscopeError } from "./index.js";

describe("erase", () => {
  it("says that the receipt was lost when the key is refused after an attempt without an answer", async () => {
    using clock = new FastClock();
    using service = new ScriptedService(cuts, refuses(401, "unauthorized"));
    const { error } = await clock.play(() => service.client().data.erase("usr_1"));
    expect(error).toMatchObject({ name: "ConnectionError", attempts: 2, requestId: "req-7", retryable: false });
    expect(String(error)).toContain("the receipt was lost");
  });

  it("is refused for its key when nothing can have been erased", async () => {
    using service = new ScriptedService(refuses(401, "unauthorized"));
    const error = await failureOf(service.client({ apiKey: () => "same" }).data.erase("usr_1"));
    expect(error).toMatchObject({ name: "AuthenticationError", attempts: 2 });
  });
});

describe("deleteWhere", () => {
  const deleted = answers(200, { deleted: 10 });
  const run = (periscope: Periscope) => periscope.data.deleteWhere({ site: "news.example" }, "10");

  it.each<[string, Reply]>([
    ["a cut connection", cuts],
    ["half an answer", cutsInBody],
    ["no answer", stalls],
    ["a proxy that fails", page(502)],
    ["a service that fails", refuses(500, "internal_error")],
  ])("is not sent again after %s: it would delete what came since", async (_, reply) => {
    using clock = new FastClock();
    using service = new ScriptedService(reply, deleted);
    const { error } = await clock.play(() => run(service.client()));
    expect(PeriscopeError.is(error)).toBe(true);
    expect(error).toMatchObject({ attempts: 1, retryable: false });
    expect(service.received).toHaveLength(1);
  });

  it("is not retryable when a page came in place of its answer: it may have taken effect", async () => {
    using service = new ScriptedService(page(200));
    expect(await failureOf(run(service.client()))).toMatchObject({ name: "ResponseShapeError", attempts: 1, retryable: false });
  });

  it("is sent again when it was refused, and when the key did not come", async () => {
    using clock = new FastClock();
    using service = new ScriptedService(refuses(429, "rate_limited"), refuses(401, "unauthorized"), deleted);
    let asked = 0;
    const apiKey = async () => {
      if (asked++ === 0) throw new Error("the vault sleeps");
      return "psk_test_0123456789";
    };
    expect((await clock.play(() => run(service.client({ apiKey })))).value).toEqual({ deleted: 10 });
    expect(service.received).toHaveLength(3);
  });
});

it("deletes by a time that is a date", async () => {
  using service = new ScriptedService(answers(200, { matches: 1, sample: [], confirm: "1" }));
  await service.client().data.previewDelete({ startTime: new Date("2026-01-31T12:34:56Z") });
  expect(JSON.parse(service.received[0]?.body ?? "")).toEqual({ where: { startTime: "2026-01-31T12:34:56.000Z" }, dryRun: true });
});

const report = { contexts: 0, created: 0, updated: 0, unchanged: 0, failed: 0, failures: [] };

const longCalls: [string, (periscope: Periscope, options?: CallOptions) => PromiseLike<unknown>][] = [
  ["import", (periscope, options) => periscope.data.import("", options)],
  ["previewDelete", (periscope, options) => periscope.data.previewDelete({ site: "news.example" }, options)],
  ["deleteWhere", (periscope, options) => periscope.data.deleteWhere({ site: "news.example" }, "1", options)],
  ["erase", (periscope, options) => periscope.data.erase("usr_1", options)],
];

it.each(longCalls)("%s has its long limits also where the options name them without a value", async (_, run) => {
  using clock = new FastClock();
  const slow = () => new Promise<Response>((resolve) => setTimeout(() => resolve(Response.json(report)), 600_000));
  using service = new ScriptedService(slow);
  const { ms } = await clock.play(() => run(service.client(), { timeoutMs: undefined, deadlineMs: undefined }));
  expect([service.received.length, ms]).toEqual([1, 600_000]);
});

it.each(longCalls)("%s keeps the limits of the client, and of the call before them", async (_, run) => {
  using clock = new FastClock();
  using service = new ScriptedService(stalls);
  const client = service.client({ deadlineMs: 5_000, maxRetries: 0 });
  expect(await clock.play(() => run(client))).toMatchObject({ error: { name: "TimeoutError", limit: "deadlineMs" }, ms: 5_000 });
  expect(await clock.play(() => run(client, { timeoutMs: 2_000 }))).toMatchObject({ error: { limit: "timeoutMs" }, ms: 2_000 });
});
