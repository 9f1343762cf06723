import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMessage, heartbeat, updateMessage } from "../../test/messages.js";
import type { TestClient } from "../../test/test-client.js";
import { TestServer } from "../../test/test-server.js";

let server: TestServer;
beforeAll(async () => void (server = await TestServer.start()));
afterAll(() => server[Symbol.asyncDispose]());

async function store(client: TestClient, ...contexts: Array<Record<string, unknown>>): Promise<void> {
  const { body } = await client.batch(contexts.map((context) => createMessage({ context })));
  expect(body.failed).toBe(0);
}

describe("current", () => {
  it("is not_found before anything was synced", async () => {
    const client = await server.client();
    const answer = await client.get("/context/current");
    expect([answer.status, answer.body.error]).toEqual([404, "not_found"]);
  });

  const currentId = async (client: TestClient, query = "") => (await client.get(`/context/current${query}`)).body.contextId;
  const captured = (id: string, day: number, isActive: boolean) => ({
    id,
    capturedAt: `2026-01-0${day}T00:00:00Z`,
    tabMetadata: { id: "7", url: "https://articles.example/", title: "Lighthouses", isActive },
  });

  it("is the context viewed last, then the one that arrived last", async () => {
    const client = await server.client();
    await store(client, captured("b", 2, true), captured("a", 2, true), captured("background", 4, false), captured("c", 1, true));
    expect(await currentId(client)).toBe("a");
    await client.sync(heartbeat("c", "2026-01-03T00:00:00Z"));
    expect(await currentId(client)).toBe("c");
    expect((await client.get("/context/background")).body.viewedAt).toBeUndefined();
    await client.sync(heartbeat("background", "2026-01-04T00:00:00Z"));
    expect(await currentId(client)).toBe("background");
    expect((await client.get("/context/current")).body.viewedAt).toBe("2026-01-04T00:00:00.000Z");
  });

  it("is the newest by capture time where nothing was viewed", async () => {
    const client = await server.client();
    await store(client, captured("a", 1, false), captured("b", 3, false), captured("c", 2, false));
    expect(await currentId(client)).toBe("b");
  });

  it("keeps the later view when a context is created again or updated", async () => {
    const client = await server.client();
    await store(client, captured("c", 5, true));
    const again = createMessage({ timestamp: "2026-01-31T12:00:09Z", context: captured("c", 2, true) });
    expect((await client.sync(again)).status).toBe(201);
    expect((await client.get("/context/c")).body).toMatchObject({
      timestamp: "2026-01-02T00:00:00.000Z",
      viewedAt: "2026-01-05T00:00:00.000Z",
    });
    await client.sync(updateMessage("c", { capturedAt: "2026-01-07T00:00:00Z" }, { timestamp: "2026-01-31T12:00:10Z" }));
    expect((await client.get("/context/c")).body.viewedAt).toBe("2026-01-07T00:00:00.000Z");
  });

  it("does not count a heartbeat as later than the server's clock", async () => {
    const client = await server.client();
    await store(client, captured("c", 1, true));
    const before = Date.now();
    await client.sync(heartbeat("c", new Date(before + 3_600_000).toISOString()));
    const { viewedAt, lastSeenAt } = (await client.get("/context/c")).body;
    expect(viewedAt).toBe(lastSeenAt);
    expect(Date.parse(viewedAt) - before).toBeLessThan(3_600_000);
  });

  it("can be of one tab or extension instance", async () => {
    const client = await server.client();
    await store(
      client,
      { id: "a", tabId: "1", capturedAt: "2026-01-01T00:00:00Z" },
      { id: "b", tabId: "2", capturedAt: "2026-01-02T00:00:00Z" },
    );
    await client.sync(createMessage({ extensionId: "phone", context: { id: "p", tabId: "1", capturedAt: "2025-01-01T00:00:00Z" } }));
    expect((await client.get("/context/current?tabId=1")).body.contextId).toBe("a");
    expect((await client.get("/context/current?extensionId=phone")).body.contextId).toBe("p");
    expect((await client.get("/context/current?tabId=2&extensionId=phone")).status).toBe(404);
  });
});

describe("history", () => {
  it("lists the newest first, then by context id, without content", async () => {
    const client = await server.client();
    await store(
      client,
      { id: "b", capturedAt: "2026-01-02T00:00:00Z" },
      { id: "a", capturedAt: "2026-01-02T00:00:00Z" },
      { id: "c", capturedAt: "2026-01-03T00:00:00Z" },
    );
    const { body } = await client.get("/context/history");
    expect(body).toMatchObject({ total: 3, limit: 50, offset: 0 });
    expect(body.contexts.map((item: any) => item.contextId)).toEqual(["c", "a", "b"]);
    expect(Object.keys(body.contexts[0]).sort()).toEqual(["contextId", "privacyLevel", "timestamp", "title", "type", "url"]);
  });

  it("filters by time range, type and privacy level", async () => {
    const client = await server.client();
    await store(
      client,
      { id: "1", capturedAt: "2026-01-01T00:00:00Z" },
      { id: "2", capturedAt: "2026-01-02T00:00:00Z", type: "selection" },
      { id: "3", capturedAt: "2026-01-03T00:00:00Z", privacyLevel: "public" },
    );
    const ids = async (query: string) => (await client.get(`/context/history?${query}`)).body.contexts.map((item: any) => item.contextId);
    expect(await ids("since=2026-01-02T00:00:00Z")).toEqual(["3", "2"]);
    expect(await ids("until=2026-01-02T00:00:00Z")).toEqual(["1"]);
    expect(await ids("since=2026-01-02T01:00:00%2B01:00&until=2026-01-03T00:00:00Z")).toEqual(["2"]);
    expect(await ids("type=selection")).toEqual(["2"]);
    expect(await ids("privacyLevel=public")).toEqual(["3"]);
    expect(await ids("limit=1&offset=1")).toEqual(["2"]);
    expect((await client.get("/context/history?type=media")).body).toEqual({ contexts: [], total: 0, limit: 50, offset: 0 });
  });

  it("pages by cursor while new contexts arrive", async () => {
    const client = await server.client();
    const day = (n: number) => `2026-01-${String(n).padStart(2, "0")}T00:00:00Z`;
    await store(client, ...Array.from({ length: 7 }, (_, n) => ({ id: `c${n}`, capturedAt: day(n + 1) })));
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { body } = await client.get(`/context/history?limit=3${cursor ? `&cursor=${cursor}` : ""}`);
      expect(body.total).toBe(7);
      seen.push(...body.contexts.map((item: any) => item.contextId));
      if (!cursor) await store(client, { id: "new", capturedAt: day(20) });
      cursor = body.nextCursor;
    } while (cursor);
    expect(seen).toEqual(["c6", "c5", "c4", "c3", "c2", "c1", "c0"]);
  });

  it.each([
    ["limit", "limit=0"],
    ["limit", "limit=201"],
    ["limit", "limit=1.5"],
    ["limit", "limit="],
    ["limit", "limit=abc"],
    ["limit", "limit=1e2"],
    ["offset", "offset=-1"],
    ["offset", "offset=99999999999999999999"],
    ["since", "since=yesterday"],
    ["until", "until="],
    ["until", "until=2026-01-31T12:00:00+01:00"],
    ["type", "type=pages"],
    ["privacyLevel", "privacyLevel=secret"],
    ["since", "since=2026-01-02T00:00:00Z&until=2026-01-02T00:00:00Z"],
    ["limit", "limit=1&limit=2"],
    ["cursor", "cursor=nonsense"],
    ["offset", "offset=1&cursor=WzEsImEiLDFd"],
  ])("rejects a wrong parameter, naming %s: %s", async (name, query) => {
    const client = await server.client();
    const answer = await client.get(`/context/history?${query}`);
    expect([answer.status, answer.body.error]).toEqual([400, "bad_request"]);
    expect(answer.body.details[0].path).toBe(name);
    expect(answer.body.message).toContain(name);
  });
});

describe("one context", () => {
  it("is not found by another user, who may not delete it either", async () => {
    const owner = await server.client();
    const stranger = await server.client();
    await store(owner, { id: "only-theirs" });
    expect((await stranger.get("/context/only-theirs")).status).toBe(404);
    expect((await stranger.delete("/context/only-theirs")).status).toBe(403);
    expect((await stranger.delete("/context/nobody-has-it")).status).toBe(404);
    await store(stranger, { id: "only-theirs", title: "mine" });
    expect((await stranger.get("/context/only-theirs")).body.title).toBe("mine");
    expect((await stranger.delete("/context/only-theirs")).status).toBe(204);
    expect((await owner.get("/context/only-theirs")).status).toBe(200);
  });

  it("is deleted permanently, with an empty answer", async () => {
    const client = await server.client();
    const message = createMessage({ context: { id: "gone-for-ever" } });
    await client.sync(message);
    const gone = await client.delete("/context/gone-for-ever");
    expect([gone.status, gone.body]).toEqual([204, undefined]);
    expect((await client.delete("/context/gone-for-ever")).status).toBe(404);
    expect((await client.sync(message)).body.duplicate).toBe(true);
    expect((await client.sync(createMessage({ timestamp: "2026-01-31T12:00:05Z", context: { id: "gone-for-ever" } }))).status).toBe(201);
    expect((await client.get("/context/gone-for-ever")).status).toBe(404);
  });

  it("comes in parts that join to the whole and never split a pair", async () => {
    const client = await server.client();
    const content = "a😀é😀b".repeat(40);
    await store(client, { id: "c", content });
    for (const maxChars of [1, 2, 3, 7, 1_000]) {
      const parts: string[] = [];
      let cursor: string | undefined;
      do {
        const { body } = await client.get(`/context/c?maxChars=${maxChars}${cursor ? `&contentCursor=${cursor}` : ""}`);
        parts.push(body.content);
        cursor = body.nextContentCursor;
      } while (cursor);
      expect(parts.join("")).toBe(content);
      expect(parts.every((part) => part.isWellFormed())).toBe(true);
      expect(Math.max(...parts.map((part) => part.length))).toBeLessThanOrEqual(Math.max(maxChars, 2));
    }
    expect((await client.get("/context/current?maxChars=5")).body.nextContentCursor).toBeTypeOf("string");
    for (const query of ["maxChars=0", "maxChars=1048577", "contentCursor=x"])
      expect((await client.get(`/context/c?${query}`)).status).toBe(400);
  });

  it("rejects a cursor when the content has changed", async () => {
    const client = await server.client();
    await store(client, { id: "c", content: "x".repeat(100) });
    const { body } = await client.get("/context/c?maxChars=10");
    await client.sync(createMessage({ timestamp: "2026-01-31T12:00:05Z", context: { id: "c", content: "y".repeat(100) } }));
    const next = await client.get(`/context/c?maxChars=10&contentCursor=${body.nextContentCursor}`);
    expect(next.status).toBe(400);
    expect(next.body.message).toContain("changed");
  });
});

describe("a key with a maximum privacy level", () => {
  it("reads nothing above that level", async () => {
    const client = await server.client();
    const { userId } = client;
    const levels = ["public", "private", "filtered", "restricted"];
    await store(
      client,
      ...levels.map((privacyLevel, n) => ({
        id: privacyLevel,
        privacyLevel,
        capturedAt: `2026-01-0${n + 1}T00:00:00Z`,
        content: "harbour",
      })),
    );
    for (const [index, maxPrivacyLevel] of (["public", "private", "filtered", "restricted"] as const).entries()) {
      const bounded = await server.client({ userId, maxPrivacyLevel });
      const visible = levels.slice(0, index + 1);
      expect((await bounded.get("/context/current")).body.contextId).toBe(maxPrivacyLevel);
      const history = (await bounded.get("/context/history")).body;
      expect([history.total, history.contexts.map((item: any) => item.contextId)]).toEqual([visible.length, visible.toReversed()]);
      const found = (await bounded.get("/context/search?urlPattern=articles.example")).body;
      expect([found.total, found.results.map((item: any) => item.contextId).toSorted()]).toEqual([visible.length, visible.toSorted()]);
      for (const level of levels) expect((await bounded.get(`/context/${level}`)).status).toBe(visible.includes(level) ? 200 : 404);
    }
  });
});
