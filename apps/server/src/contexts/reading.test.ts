import { describe, expect } from "vitest";
import { createMessage, heartbeat, updateMessage } from "../../test/messages.js";
import type { TestClient } from "../../test/test-client.js";
import { withSharedServer as it } from "../../test/test-server.js";

async function store(client: TestClient, ...contexts: object[]): Promise<void> {
  const { body } = await client.batch(contexts.map((context) => createMessage({ context: { ...context } })));
  expect(body.failed).toBe(0);
}

const day = (of: number) => `2026-01-${String(of).padStart(2, "0")}T00:00:00.000Z`;
const on = (id: string, of: number, fields: object = {}) => ({ id, capturedAt: day(of), ...fields });
const idOf = ({ contextId }: { contextId: string }) => contextId;

async function expectRejected(client: TestClient, path: string, query: string): Promise<void> {
  const [name = ""] = query.split("=");
  const { status, body } = await client.get(path + query);
  expect([status, body.error, body.details[0].path]).toEqual([400, "bad_request", name]);
  expect(body.message).toContain(name);
}

describe("current", () => {
  const captured = (id: string, of: number, isActive: boolean) =>
    on(id, of, { tabMetadata: { id: "7", url: "https://articles.example/", title: "Lighthouses", isActive } });
  const currentId = async (client: TestClient, query = "") => (await client.get(`/context/current${query}`)).body.contextId;

  it("is the context viewed last, then the one that arrived last", async ({ client }) => {
    await store(client, captured("b", 2, true), captured("a", 2, true), captured("background", 4, false), captured("c", 1, true));
    expect((await client.get("/context/current")).body).toMatchObject({ contextId: "a", viewedAt: day(2), lastSeenAt: day(2) });
    await client.sync(heartbeat("c", day(3)));
    expect(await currentId(client)).toBe("c");
    const { viewedAt, lastSeenAt } = (await client.get("/context/background")).body;
    expect([viewedAt, lastSeenAt]).toEqual([undefined, undefined]);
    await client.batch([heartbeat("background", day(4)), heartbeat("background", day(3)), heartbeat("unknown", day(9))]);
    await client.sync(heartbeat("background", day(2)));
    expect((await client.get("/context/current")).body).toMatchObject({ contextId: "background", viewedAt: day(4), lastSeenAt: day(4) });
  });

  it("is the newest by capture time where nothing was viewed", async ({ client }) => {
    await store(client, captured("a", 1, false), captured("b", 3, false), captured("c", 2, false));
    expect(await currentId(client)).toBe("b");
  });

  it("keeps the later view when a context is created again or updated", async ({ client }) => {
    await store(client, captured("c", 5, true));
    await client.sync(createMessage({ timestamp: "2026-01-31T12:00:09Z", context: captured("c", 2, true) }));
    expect((await client.get("/context/c")).body).toMatchObject({ timestamp: day(2), viewedAt: day(5) });
    await client.sync(updateMessage("c", { capturedAt: day(7) }, { timestamp: "2026-01-31T12:00:10Z" }));
    expect((await client.get("/context/c")).body.viewedAt).toBe(day(7));
  });

  it("was last seen at its last view, also when a capture follows a heartbeat", async ({ client }) => {
    await store(client, captured("c", 1, true));
    await client.sync(heartbeat("c", day(3)));
    await client.sync(updateMessage("c", { capturedAt: day(5) }, { timestamp: "2026-01-31T12:00:10Z" }));
    expect((await client.get("/context/c")).body).toMatchObject({ viewedAt: day(5), lastSeenAt: day(5) });
  });

  it("views at the timestamp of a heartbeat, also when that is ahead of the server's clock", async ({ client }) => {
    await store(client, captured("c", 1, true));
    const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
    await client.sync(heartbeat("c", inAnHour));
    expect((await client.get("/context/c")).body).toMatchObject({ viewedAt: inAnHour, lastSeenAt: inAnHour });
  });

  it("can be of one tab or extension instance", async ({ client }) => {
    await store(client, on("a", 2, { tabId: "1" }), on("b", 3, { tabId: "2" }));
    await client.sync(createMessage({ extensionId: "phone", context: on("p", 1, { tabId: "1" }) }));
    expect(await currentId(client, "?tabId=1")).toBe("a");
    expect(await currentId(client, "?extensionId=phone")).toBe("p");
    expect((await client.get("/context/current?tabId=2&extensionId=phone")).status).toBe(404);
  });
});

describe("history", () => {
  it("lists the newest first, then by context id, without content", async ({ client }) => {
    await store(client, on("b", 2), on("a", 2), on("c", 3));
    const { body } = await client.get("/context/history");
    expect(body).toMatchObject({ total: 3, limit: 50, offset: 0 });
    expect(body.contexts.map(idOf)).toEqual(["c", "a", "b"]);
    expect(Object.keys(body.contexts[0]).sort()).toEqual(["contextId", "privacyLevel", "timestamp", "title", "type", "url"]);
  });

  it("filters by time range, type and privacy level", async ({ client }) => {
    await store(client, on("1", 1), on("2", 2, { type: "selection" }), on("3", 3, { privacyLevel: "public" }));
    const ids = async (query: string) => (await client.get(`/context/history?${query}`)).body.contexts.map(idOf).join("");
    const expected = {
      [`since=${day(2)}`]: "32",
      [`until=${day(2)}`]: "1",
      [`since=2026-01-02T01:00:00%2B01:00&until=${day(3)}`]: "2",
      [`since=${day(2).replace(".000", ".0005")}`]: "3",
      [`since=${day(2)}&until=${day(3).replace(".000", ".0005")}`]: "32",
      [`since=${day(2).replace(".000", ".0001")}&until=${day(2).replace(".000", ".0005")}`]: "",
      "type=selection": "2",
      "privacyLevel=public": "3",
      "limit=1&offset=1": "2",
    };
    for (const [query, found] of Object.entries(expected)) expect([query, await ids(query)]).toEqual([query, found]);
    expect((await client.get("/context/history?type=media")).body).toEqual({ contexts: [], total: 0, limit: 50, offset: 0 });
  });

  it("pages by cursor while new contexts arrive", async ({ client }) => {
    await store(client, ...[1, 2, 3, 4, 5, 6, 7].map((of) => on(`c${of}`, of)));
    const seen: string[] = [];
    for (let cursor = "", round = 0; round === 0 || cursor; round++) {
      const { body } = await client.get(`/context/history?limit=3${cursor && `&cursor=${cursor}`}`);
      expect(body.total).toBe(7);
      seen.push(...body.contexts.map(idOf));
      if (round === 0) await store(client, on("new", 20));
      cursor = body.nextCursor;
    }
    expect(seen).toEqual(["c7", "c6", "c5", "c4", "c3", "c2", "c1"]);
  });

  it("takes a cursor of any time that a capture can have, and of no other", async ({ client }) => {
    await store(client, on("c", 1));
    const ask = async (at: number) => {
      const cursor = Buffer.from(JSON.stringify([at, "a", 0])).toString("base64url");
      const { status, body } = await client.get(`/context/history?cursor=${cursor}`);
      return [status, body.error];
    };
    const [first, last] = [Date.parse("0000-01-01T00:00:00Z"), Date.parse("9999-12-31T23:59:59.999Z")];
    for (const at of [first, last]) expect(await ask(at)).toEqual([200, undefined]);
    for (const at of [first - 1, last + 1, -8.64e15, 8.64e15]) expect(await ask(at)).toEqual([400, "bad_request"]);
  });

  const wrong =
    "limit=0 limit=201 limit=1.5 limit=5.0 limit=%2B5 limit=%205 limit= limit=abc limit=1e2 limit=0x5 limit=1&limit=2 offset=-1 " +
    "offset=99999999999999999999 offset=1&cursor=WzEsImEiLDFd cursor=nonsense since=yesterday until= until=2026-01-31T12:00:00+01:00 " +
    "since=2026-01-02T00:00:00Z&until=2026-01-02T00:00:00Z since=2026-01-02T00:00:00.001Z&until=2026-01-02T00:00:00.0009Z type=pages privacyLevel=secret";
  it.for(wrong.split(" "))("rejects a wrong parameter by its name: %s", (query, { client }) =>
    expectRejected(client, "/context/history?", query),
  );
});

describe("search", () => {
  it("answers the 20 best without content, and what was asked for", async ({ client }) => {
    await store(client, on("a", 2, { tabMetadata: { id: "7", url: "https://articles.example/lamps", title: "Lamps" } }));
    const { body } = await client.get("/context/search?query=lighthouses");
    expect(body).toEqual({
      results: [
        {
          contextId: "a",
          type: "page",
          url: "https://articles.example/lamps",
          title: "Lamps",
          snippet: "An article about lighthouses and the people who kept them.",
          timestamp: day(2),
          privacyLevel: "private",
          relevance: expect.any(Number),
        },
      ],
      total: 1,
      totalIsExact: true,
      query: "lighthouses",
      limit: 20,
      offset: 0,
    });
  });

  it("pages by limit and offset", async ({ client }) => {
    await store(client, ...Array.from({ length: 25 }, (_, index) => on(`c${index}`, 1)));
    const page = async (bounds: string) => {
      const { results, total, limit, offset } = (await client.get(`/context/search?query=lighthouses${bounds}`)).body;
      return [results.length, total, limit, offset];
    };
    expect(await page("")).toEqual([20, 25, 20, 0]);
    expect(await page("&limit=1")).toEqual([1, 25, 1, 0]);
    expect(await page("&limit=1000&offset=22")).toEqual([3, 25, 1000, 22]);
  });

  const wrong =
    "limit=0 limit=1001 limit=1.5 limit=5.0 limit=%2B5 limit= limit=abc limit=1e2 limit=0x5 limit=1&limit=2 offset=-1 " +
    "offset=99999999999999999999 startTime=yesterday endTime= endTime=2026-01-31T12:00:00+01:00 " +
    `startTime=${day(2)}&endTime=${day(2)} type=pages privacyLevel=secret query=a&query=b`;
  it.for(wrong.split(" "))("rejects a wrong parameter by its name: %s", (query, { client }) =>
    expectRejected(client, `/context/search?${query.startsWith("query") ? "" : "query=a&"}`, query),
  );

  it("rejects words of more than 1,024 bytes", ({ client }) => expectRejected(client, "/context/search?", `query=${"x".repeat(1_025)}`));

  it("rejects a search for nothing", async ({ client }) => {
    for (const query of ["", "?query=", "?query=%20&urlPattern=", "?type=page"]) {
      const { status, body } = await client.get(`/context/search${query}`);
      expect([status, body.error, body.details]).toEqual([
        400,
        "bad_request",
        [expect.objectContaining({ path: "query" }), expect.objectContaining({ path: "urlPattern" })],
      ]);
    }
  });

  it("takes a + for a space where no time is asked for", async ({ client }) => {
    await store(client, { id: "c", content: "The lamp was lit at 2026-01-31T12:00:00 01:00 by the keeper." });
    const { status, body } = await client.get("/context/search?query=2026-01-31T12:00:00+01:00");
    expect([status, body.results.map(idOf)]).toEqual([200, ["c"]]);
  });
});

describe("one context", () => {
  it("may have the id of another user's", async ({ client: stranger, server }) => {
    const owner = await server.client();
    await store(owner, { id: "only-theirs" });
    expect((await stranger.delete("/context/nobody-has-it")).status).toBe(404);
    await store(stranger, { id: "only-theirs", title: "mine" });
    expect((await stranger.get("/context/only-theirs")).body.title).toBe("mine");
    expect((await stranger.delete("/context/only-theirs")).status).toBe(204);
    expect((await owner.get("/context/only-theirs")).status).toBe(200);
  });

  it("is deleted permanently, with an empty answer", async ({ client }) => {
    const message = createMessage({ context: { id: "gone-for-ever" } });
    await client.sync(message);
    expect(await client.delete("/context/gone-for-ever")).toMatchObject({ status: 204, body: undefined });
    expect((await client.delete("/context/gone-for-ever")).status).toBe(404);
    expect((await client.sync(message)).body.duplicate).toBe(true);
    expect((await client.sync(createMessage({ timestamp: "2026-01-31T12:00:05Z", context: { id: "gone-for-ever" } }))).status).toBe(201);
    expect((await client.get("/context/gone-for-ever")).status).toBe(404);
  });

  it.for([1, 2, 3, 7, 1_000])(
    "comes in parts of %i characters that join to the whole and never split a pair",
    async (maxChars, { client }) => {
      const content = "a😀é😀b".repeat(40);
      await store(client, { id: "c", content });
      const parts: string[] = [];
      for (let cursor = ""; parts.length === 0 || cursor;) {
        const { body } = await client.get(`/context/c?maxChars=${maxChars}${cursor && `&contentCursor=${cursor}`}`);
        parts.push(body.content);
        cursor = body.nextContentCursor;
      }
      expect(parts.join("")).toBe(content);
      expect(parts.filter((part) => !part.isWellFormed() || part.length > Math.max(maxChars, 2))).toEqual([]);
    },
  );

  it("reads on after a change of anything but the content", async ({ client }) => {
    await store(client, { id: "c", content: "x".repeat(100) });
    const { nextContentCursor } = (await client.get("/context/c?maxChars=90")).body;
    await client.sync(updateMessage("c", { title: "Read to the end", metadata: { viewedMs: 9_000 } }));
    const next = await client.get(`/context/c?contentCursor=${nextContentCursor}`);
    expect(next).toMatchObject({ status: 200, body: { content: "x".repeat(10), title: "Read to the end" } });
  });

  it("rejects a cursor when the content has changed, and wrong bounds", async ({ client }) => {
    await store(client, { id: "c", content: "x".repeat(100) });
    const { nextContentCursor } = (await client.get("/context/current?maxChars=10")).body;
    await client.sync(createMessage({ timestamp: "2026-01-31T12:00:05Z", context: { id: "c", content: "y".repeat(100) } }));
    const next = await client.get(`/context/c?maxChars=10&contentCursor=${nextContentCursor}`);
    expect(next).toMatchObject({ status: 400, body: { message: expect.stringContaining("changed") } });
    for (const query of ["maxChars=0", "maxChars=1048577", "contentCursor=x"])
      expect((await client.get(`/context/c?${query}`)).status).toBe(400);
  });
});
