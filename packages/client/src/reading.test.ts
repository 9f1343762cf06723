import { reservedContextIds } from "@periscope/schemas";
import { describe, expect, it } from "vitest";
import { contextAnswer, historyAnswer, keyAnswer, searchAnswer } from "../test/answers.js";
import { failureOf } from "../test/failure-of.js";
import { FastClock } from "../test/fast-clock.js";
import { answers, cuts, empty, refuses, type Reply, ScriptedService } from "../test/scripted-service.js";
import type { PeriscopeError } from "./index.js";

const items = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => ({ ...historyAnswer().contexts[0]!, contextId: `ctx_${from + index}` }));
const hits = (count: number, from = 0) => items(count, from).map((item) => ({ ...item, snippet: "", relevance: 0.5 }));
const ids = (list: readonly { contextId: string }[]) => list.map(({ contextId }) => Number(contextId.slice(4)));
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

/** History of 5 contexts, in pages of 2. */
const pagedHistory: Reply = (received) => {
  const cursor = Number(new URLSearchParams(received.path.split("?")[1]).get("cursor") ?? 0);
  const contexts = items(Math.min(2, 5 - cursor), cursor);
  const more = cursor + 2 < 5 ? { nextCursor: String(cursor + 2) } : {};
  return answers(200, historyAnswer({ contexts, total: 5, limit: 2, offset: 0, ...more }))(received);
};

describe("key", () => {
  it("describes the key in use", async () => {
    using service = new ScriptedService(answers(200, keyAnswer({ expiresAt: "2027-01-31T00:00:00.000Z" })));
    expect(await service.client().key()).toMatchObject({ userId: "usr_1", scopes: ["read"], expiresAt: "2027-01-31T00:00:00.000Z" });
    expect(service.received.map(({ method, path }) => [method, path])).toEqual([["GET", "/key"]]);
  });

  it("rejects when the key is not valid", async () => {
    using service = new ScriptedService(refuses(401, "unauthorized"));
    expect(await failureOf(service.client().key())).toMatchObject({ name: "AuthenticationError" });
  });
});

describe("history", () => {
  it("is a page when awaited, and has the next one", async () => {
    using service = new ScriptedService(pagedHistory);
    const page = await service.client().history({ limit: 2, since: new Date(0), type: undefined });
    expect([ids(page.items), page.total, page.nextCursor]).toEqual([[0, 1], 5, "2"]);
    const last = await (await page.next())?.next();
    expect([ids(last?.items ?? []), last?.offset, last?.next()]).toEqual([[4], 4, null]);
    expect(service.received.map(({ path }) => path)).toEqual([
      "/context/history?limit=2&since=1970-01-01T00%3A00%3A00.000Z",
      "/context/history?limit=2&since=1970-01-01T00%3A00%3A00.000Z&cursor=2",
      "/context/history?limit=2&since=1970-01-01T00%3A00%3A00.000Z&cursor=4",
    ]);
  });

  it("is every item when iterated, a request a page, and no more pages than are read", async () => {
    using service = new ScriptedService(pagedHistory);
    const found = [];
    for await (const item of service.client().history()) found.push(item);
    expect(ids(found)).toEqual(upTo(5));
    expect(service.received).toHaveLength(3);
    for await (const item of service.client().history()) if (item.contextId === "ctx_1") break;
    expect(service.received).toHaveLength(4);
  });

  it("is a list up to a limit, which must be given", async () => {
    using service = new ScriptedService(pagedHistory);
    expect(ids(await service.client().history().toArray({ limit: 3 }))).toEqual(upTo(3));
    expect(service.received).toHaveLength(2);
    const all = service.client().history();
    expect(ids(await all.toArray({ limit: 1_000 }))).toEqual(upTo(5));
    for (const options of [{}, undefined])
      expect(String(await failureOf(all.toArray(options as { limit: number })))).toMatch(/^PeriscopeError: toArray needs \{ limit \}/);
  });

  it("rejects the iteration when a page fails", async () => {
    using service = new ScriptedService(pagedHistory, refuses(403, "forbidden"));
    expect(await failureOf(service.client().history().toArray({ limit: 9 }))).toMatchObject({ name: "PermissionError" });
  });
});

describe("search", () => {
  const pagedSearch =
    (total: number, change = {}): Reply =>
    (received) => {
      const offset = Number(new URLSearchParams(received.path.split("?")[1]).get("offset") ?? 0);
      const results = hits(Math.max(0, Math.min(2, total - offset)), offset);
      return answers(200, searchAnswer({ results, total, limit: 2, offset, ...change }))(received);
    };

  it("takes a text for its query", async () => {
    using service = new ScriptedService(pagedSearch(1));
    const { items, totalIsExact, query } = await service.client().search("lamp & lens");
    expect([ids(items), totalIsExact, query]).toEqual([[0], true, "lamp"]);
    expect(service.received[0]?.path).toBe("/context/search?query=lamp+%26+lens");
  });

  it.each([
    [0, 1],
    [1, 1],
    [2, 1],
    [3, 2],
    [4, 2],
    [5, 3],
  ])("finds all of %i results in %i pages", async (total, pages) => {
    using service = new ScriptedService(pagedSearch(total));
    expect(ids(await service.client().search({ query: "lamp" }).toArray({ limit: 100 }))).toEqual(upTo(total));
    expect(service.received).toHaveLength(pages);
  });

  it("goes on past a total that is not exact, until a page is not full", async () => {
    using service = new ScriptedService(pagedSearch(5, { total: 2, totalIsExact: false }));
    expect(ids(await service.client().search("lamp").toArray({ limit: 100 }))).toEqual(upTo(5));
  });
});

describe("current and get", () => {
  it("current is null when there is no context", async () => {
    using service = new ScriptedService(refuses(404, "not_found"));
    expect(await service.client().current()).toBeNull();
  });

  it("keep the fields that this version does not know", async () => {
    using service = new ScriptedService(answers(200, { ...contextAnswer(), later: { added: [1] } }));
    expect(await service.client().get("ctx_1")).toMatchObject({ later: { added: [1] } });
  });

  it("ask for a part of the content", async () => {
    using service = new ScriptedService(answers(200, contextAnswer({ nextContentCursor: "c2" })));
    const { nextContentCursor } = await service.client().get("a:b.c-d_e", { maxChars: 10, contentCursor: "c1" });
    await service.client().current({ tabId: "7", maxChars: 10 });
    expect(nextContentCursor).toBe("c2");
    expect(service.received.map(({ path }) => path)).toEqual([
      "/context/a:b.c-d_e?maxChars=10&contentCursor=c1",
      "/context/current?tabId=7&maxChars=10",
    ]);
  });

  it.each([...reservedContextIds, "", "a/b", "a?b", "a b", "ä", "\u{d800}", "x".repeat(129)])(
    "get and delete refuse what would be another path: %j",
    async (id) => {
      using service = new ScriptedService(answers(200, contextAnswer()));
      expect(await failureOf(service.client().get(id))).toMatchObject({ name: "PeriscopeError", attempts: 0 });
      expect(await failureOf(service.client().delete(id))).toMatchObject({ name: "PeriscopeError", attempts: 0 });
      expect(service.received).toEqual([]);
    },
  );

  it("refuses a date that is none", async () => {
    using service = new ScriptedService(answers(200, historyAnswer()));
    expect(await failureOf(service.client().history({ since: new Date("soon") }))).toMatchObject({
      name: "PeriscopeError",
      message: "since is an invalid date. Pass a valid one.",
    });
  });

  it("refuses what is no text for an id, which a path would name", async () => {
    using service = new ScriptedService(answers(200, contextAnswer()));
    for (const id of [undefined, null, 7]) {
      const error = await failureOf(service.client().get(id as unknown as string));
      expect(error).toMatchObject({ name: "PeriscopeError", message: `${id} cannot be a context id.` });
    }
    expect(service.received).toEqual([]);
  });
});

describe("delete", () => {
  it("says that a context was not there when the function of the key failed before", async () => {
    using clock = new FastClock();
    using service = new ScriptedService(refuses(404, "not_found"));
    const keys = [() => Promise.reject(new Error("no network")), async () => "second"];
    expect((await clock.play(() => service.client({ apiKey: () => keys.shift()!() }).delete("ctx_1"))).value).toEqual({ deleted: false });
  });

  it.each<[string, Reply[], boolean]>([
    ["was there", [empty(204)], true],
    ["was not there", [refuses(404, "not_found")], false],
    ["is gone after an attempt without an answer", [cuts, refuses(404, "not_found")], true],
    ["was not there after a wait for the limit", [refuses(429, "rate_limited", { "Retry-After": "1" }), refuses(404, "not_found")], false],
  ])("says whether a context %s", async (_, replies, deleted) => {
    using clock = new FastClock();
    using service = new ScriptedService(...replies);
    expect((await clock.play(() => service.client().delete("ctx_1"))).value).toEqual({ deleted });
  });
});

describe("a call", () => {
  const limits = { "X-RateLimit-Limit": "600", "X-RateLimit-Remaining": "599", "X-RateLimit-Reset": "1769860860" };

  it("has its answer, request id, rate limit and attempts", async () => {
    using service = new ScriptedService(answers(200, contextAnswer(), limits));
    const call = service.client().current();
    const { data, response, ...rest } = await call.withResponse();
    expect(data?.contextId).toBe("ctx_1");
    expect([response.status, response.url, await response.json()]).toEqual([
      200,
      "http://periscope.test/api/v1/context/current",
      contextAnswer(),
    ]);
    const rateLimit = { limit: 600, remaining: 599, resetAt: new Date("2026-01-31T12:01:00Z") };
    expect(rest).toEqual({ requestId: "req-7", rateLimit, attempts: 1 });
    // The body is there for each who asks.
    expect(await (await call.asResponse()).text()).toBe(JSON.stringify(contextAnswer()));
    expect(await call).toBe(data);
    expect(service.received).toHaveLength(1);
  });

  it("has its answer also when that is not as it should be", async () => {
    using service = new ScriptedService(() => new Response("<html>"));
    const call = service.client().current();
    expect(await (await call.asResponse()).text()).toBe("<html>");
    expect(await failureOf(call.withResponse())).toMatchObject({ name: "ResponseShapeError" });
  });

  it("can be an answer without a body", async () => {
    using service = new ScriptedService(empty(204));
    const { data, response } = await service.client().delete("ctx_1").withResponse();
    expect([data, response.status, response.body]).toEqual([{ deleted: true }, 204, null]);
  });

  it("starts at once, and is a promise in every way", async () => {
    using service = new ScriptedService(answers(200, contextAnswer()), refuses(400, "bad_request"));
    const call = service.client().get("ctx_1");
    expect(Object.prototype.toString.call(call)).toBe("[object Call]");
    let ended = 0;
    expect((await call.finally(() => (ended += 1))).contextId).toBe("ctx_1");
    expect(
      await service
        .client()
        .get("ctx_1")
        .catch((error: unknown) => (error as PeriscopeError).name),
    ).toBe("BadRequestError");
    expect(ended).toBe(1);
    expect(await Promise.all([call, call.then(({ title }) => title)])).toMatchObject([{ contextId: "ctx_1" }, "The keeper"]);
  });
});

it("passes on words that a later version of the service may have", async () => {
  const later = { type: "video", privacyLevel: "household" };
  const context = { ...contextAnswer(), ...later, contentFormat: "transcript" };
  using one = new ScriptedService(answers(200, context));
  expect(await one.client().current()).toEqual(context);
  using list = new ScriptedService(answers(200, { ...historyAnswer(), contexts: [...items(1), { ...items(1, 1)[0], ...later }] }));
  expect((await list.client().history()).items.map(({ type }) => type)).toEqual(["page", "video"]);
  using found = new ScriptedService(answers(200, { ...searchAnswer(), results: [{ ...hits(1)[0], ...later }] }));
  expect((await found.client().search("lamp")).items[0]).toMatchObject(later);
});
