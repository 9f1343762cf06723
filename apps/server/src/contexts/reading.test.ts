import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMessage } from "../../test/messages.js";
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
  it("is 404 before anything has been synced", async () => {
    const client = await server.client();
    const answer = await client.get("/context/current");
    expect([answer.status, answer.body.error]).toEqual([404, "not_found"]);
  });

  it("is the newest by capture time, then by arrival", async () => {
    const client = await server.client();
    await store(
      client,
      { id: "b", capturedAt: "2026-01-02T00:00:00Z" },
      { id: "a", capturedAt: "2026-01-02T00:00:00Z" },
      { id: "c", capturedAt: "2026-01-01T00:00:00Z" },
    );
    expect((await client.get("/context/current")).body.contextId).toBe("a");
  });

  it("can be asked for a tab or an extension instance", async () => {
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
  it("is newest first, then by context id, without content", async () => {
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

  it("filters: since inclusive, until exclusive, type, privacy level", async () => {
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

  it("pages by cursor past contexts that arrive meanwhile", async () => {
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
  ])("is 400 naming %s for %s", async (name, query) => {
    const client = await server.client();
    const answer = await client.get(`/context/history?${query}`);
    expect([answer.status, answer.body.error]).toEqual([400, "bad_request"]);
    expect(answer.body.details[0].path).toBe(name);
    expect(answer.body.message).toContain(name);
  });
});

describe("one context", () => {
  it("is not found for another user, though deleting it is forbidden", async () => {
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

  it("is gone for ever once deleted, with no body in the answer", async () => {
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

  it("comes in parts that never split a pair and join to the whole", async () => {
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

  it("tells when the content has changed between parts", async () => {
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
  it("sees nothing above it in any read", async () => {
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
