import { once } from "node:events";
import { afterEach, describe, expect, vi } from "vitest";
import { expectError, expectRateHeaders } from "./answer-checks.js";
import type { ServerFrame } from "@periscope/schemas";
import { EventStream, LiveClient, liveAt, refusedHandshake } from "./live-client.js";
import { createMessage, heartbeat } from "./messages.js";
import type { TestClient } from "./test-client.js";
import { RawConnection } from "./raw-connection.js";
import { TestServer, withSharedServer as it } from "./test-server.js";

const created = (id: string, fields: Record<string, unknown> = {}) => createMessage({ context: { id, ...fields } });

const ids = Array.from({ length: 100 }, (_, index) => `c${index}`);
const hundredEvents = (client: TestClient) => client.batch(ids.map((id) => heartbeat(id, new Date().toISOString())));

/** How many connections were ended that did not read. */
async function countTooSlow(server: TestServer): Promise<string | undefined> {
  const text = await (await fetch(new URL("/metrics", server.baseUrl))).text();
  return /ended_total\{reason="too_slow"\} \d+/.exec(text)?.[0];
}

/** Changes contexts until a connection that reads nothing is sent away. */
async function untilTooSlow(server: TestServer, client: TestClient): Promise<void> {
  const before = await countTooSlow(server);
  await client.batch(ids.map((id) => created(id, { metadata: { note: "x".repeat(7_000) } })));
  while ((await countTooSlow(server)) === before) await hundredEvents(client);
}

afterEach(() => void vi.useRealTimers());

describe("a handshake", () => {
  it("is refused with the error bodies of every request", async ({ server, client }) => {
    const at = liveAt(client, server.baseUrl);
    expectError(await refusedHandshake({ ...at, key: "none" }), "unauthorized");
    expectError(await refusedHandshake(at, { headers: { Authorization: undefined } }), "unauthorized");
    const writer = await server.client({ scopes: ["write"] });
    expectError(await refusedHandshake(liveAt(writer, server.baseUrl)), "forbidden");
    expectError(await refusedHandshake(at, { protocols: ["other"] }), "bad_request");
    expectError(await refusedHandshake({ ...at, url: at.url.replace("/live", "/context/current") }), "not_found");
    const plain = await client.get("/live");
    expectError(plain, "upgrade_required");
    expect(plain.headers.get("upgrade")).toBe("websocket");
  });

  it("is answered with the subprotocol, rate headers and a request id", async ({ server, client }) => {
    const askedAt = Date.now();
    await using live = await LiveClient.open(liveAt(client, server.baseUrl));
    expect(live.socket.protocol).toBe("periscope.v1");
    expectRateHeaders({ headers: live.headers, askedAt });
    expect(live.headers.get("x-request-id")).toBeTruthy();
  });

  it("may come from allowed origins and from no other", async () => {
    await using server = await TestServer.start({ corsOrigins: ["https://app.example"] });
    const client = await server.client();
    const at = liveAt(client, server.baseUrl);
    for (const Origin of ["https://app.example", new URL(server.baseUrl).origin]) {
      await using live = await LiveClient.open(at, { headers: { Origin } });
      await live.settled();
    }
    for (const Origin of ["https://evil.example", "null", "chrome-extension://abcdef", "https://app.example.evil.example"]) {
      expectError(await refusedHandshake(at, { headers: { Origin } }), "forbidden");
      expectError(await client.send("GET", "/live", { headers: { Origin, Accept: "text/event-stream" } }), "forbidden");
    }
  });

  it("takes a ticket once, within 30 seconds, in the place of a key", async ({ server, client }) => {
    const at = liveAt(client, server.baseUrl);
    const { status, body } = await client.send("POST", "/live/tickets");
    expect(status).toBe(201);
    const withTicket = { protocols: ["periscope.v1", `ticket.${body.ticket}`], headers: { Authorization: undefined } };
    await using live = await LiveClient.open(at, withTicket);
    live.send({ type: "subscribe", channel: "current-context" });
    await live.next("subscribed");
    await client.sync(created("page"));
    await live.event("current.changed", "page");
    expect(live.socket.protocol).toBe("periscope.v1");
    expectError(await refusedHandshake(at, withTicket), "unauthorized");
    for (const ticket of ["", "x", `${body.ticket}x`])
      expectError(await refusedHandshake(at, { ...withTicket, protocols: ["periscope.v1", `ticket.${ticket}`] }), "unauthorized");
  });

  it("refuses tickets that expired, and those of a revoked key", async ({ server }) => {
    const client = await server.client();
    const at = liveAt(client, server.baseUrl);
    const ticket = async () => ({
      protocols: ["periscope.v1", `ticket.${(await client.send("POST", "/live/tickets")).body.ticket}`],
      headers: { Authorization: undefined },
    });
    const old = await ticket();
    server.clock.aheadMs += 30_000;
    const refused = await refusedHandshake(at, old);
    server.clock.aheadMs -= 30_000;
    expect([refused.status, refused.body.message]).toEqual([401, expect.stringMatching(/ticket.*expired/)]);
    const revoked = await ticket();
    await server.access.revokeKey(client.keyId);
    expectError(await refusedHandshake(at, revoked), "unauthorized");
  });
});

describe("a connection", () => {
  it("answers ping, and errors to wrong frames, and stays open", async ({ server, client }) => {
    await using live = await LiveClient.open(liveAt(client, server.baseUrl));
    const subscribe = { type: "subscribe", channel: "current-context" };
    const notJson = "frame: must be a JSON object";
    const wrongType = "type: must be one of subscribe, unsubscribe, ping";
    const wrong: Array<[frame: object | string, message: unknown]> = [
      ["{bad", notJson],
      ["[]", notJson],
      ["null", notJson],
      [{}, wrongType],
      [{ type: "other" }, wrongType],
      [{ ...subscribe, channel: "all" }, "channel: must be current-context"],
      [{ ...subscribe, after: "x" }, expect.stringMatching(/^after: is not an event id/)],
      [{ ...subscribe, filter: { type: "x" } }, expect.stringMatching(/^filter\.type: must be one of page, /)],
    ];
    for (const [frame, message] of wrong) {
      live.send(frame);
      expect(await live.next("error")).toMatchObject({ error: "bad_request", message });
    }
    live.socket.send(Buffer.from("{}"), { binary: true });
    expect(await live.next("error")).toMatchObject({ error: "bad_request", message: notJson });
    await live.settled();
  });

  it("gets nothing after it unsubscribed", async ({ server, client }) => {
    await using live = await LiveClient.subscribe(liveAt(client, server.baseUrl));
    await using other = await LiveClient.subscribe(liveAt(client, server.baseUrl));
    live.send({ type: "unsubscribe", channel: "current-context" });
    await live.settled();
    await client.sync(created("page"));
    await other.event("current.changed");
    await live.settled();
    expect(live.events).toEqual([]);
  });

  it("is told the current context when it subscribes", async ({ server, client }) => {
    await using before = await LiveClient.subscribe(liveAt(client, server.baseUrl));
    expect(before.frames).toMatchObject([{ type: "subscribed", current: null }]);
    await client.sync(created("page"));
    await using after = await LiveClient.subscribe(liveAt(client, server.baseUrl));
    expect(after.frames).toMatchObject([{ type: "subscribed", current: { contextId: "page" } }]);
  });

  it("ends when it sends more than 10 frames in a second, or one over 16 KiB", async ({ server, client }) => {
    await using hasty = await LiveClient.open(liveAt(client, server.baseUrl));
    for (let count = 0; count < 40; count++) hasty.send({ type: "ping" });
    expect(await hasty.next("bye")).toEqual({ type: "bye", reason: "too_many_frames" });
    expect(await hasty.closed).toBe(1008);
    await using answering = await LiveClient.open(liveAt(client, server.baseUrl));
    for (let count = 0; count < 40; count++) answering.socket.pong();
    expect(await answering.next("bye")).toEqual({ type: "bye", reason: "too_many_frames" });
    await using large = await LiveClient.open(liveAt(client, server.baseUrl));
    large.send("x".repeat(16_385));
    expect(await large.closed).toBe(1009);
  });

  it("is pinged every 30 seconds, and ended once it missed two", async ({ server, client }) => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const at = liveAt(client, server.baseUrl);
    await using silent = await LiveClient.open(at, { answersPings: false });
    await using answering = await LiveClient.open(at);
    let missed = 0;
    silent.socket.on("ping", () => missed++);
    for (let turn = 0; turn < 3; turn++) {
      expect(silent.socket.readyState).toBe(silent.socket.OPEN);
      const pinged = once(answering.socket, "ping");
      vi.advanceTimersByTime(30_000);
      await pinged;
      await answering.settled();
    }
    expect(await silent.closed).toBe(1006);
    expect(missed).toBe(2);
    await answering.settled();
  });

  it("is one of at most 20 of a user", async ({ server, client }) => {
    const at = liveAt(client, server.baseUrl);
    const open = await Promise.all(Array.from({ length: 20 }, () => LiveClient.open(at)));
    const refused = await refusedHandshake(at);
    expectError(refused, "rate_limited");
    expect(refused.headers.get("retry-after")).toBe("10");
    expectError(await client.send("GET", "/live", { headers: { Accept: "text/event-stream" } }), "rate_limited");
    await using stranger = await LiveClient.open(liveAt(await server.client(), server.baseUrl));
    await stranger.settled();
    await open[0]![Symbol.asyncDispose]();
    const another = await vi.waitFor(() => LiveClient.open(at), 30_000);
    await another[Symbol.asyncDispose]();
    for (const each of open) await each[Symbol.asyncDispose]();
  });

  it("takes none of the requests that its user may have in progress", async () => {
    await using server = await TestServer.start({}, { userRequests: 2 });
    const client = await server.client();
    const at = liveAt(client, server.baseUrl);
    await using first = await LiveClient.subscribe(at);
    await using second = await LiveClient.subscribe(at);
    await using third = await LiveClient.subscribe(at);
    expect((await client.get("/context/history")).status).toBe(200);
    for (const each of [first, second, third]) await each.settled();
  });

  it("of a slow reader ends once 1,000 events wait", async ({ server, client }) => {
    const at = liveAt(client, server.baseUrl);
    await using slow = await LiveClient.subscribe(at);
    await using quick = await LiveClient.subscribe(at);
    slow.socket.pause();
    await untilTooSlow(server, client);
    slow.socket.resume();
    // A reader that is still behind after three seconds is cut off without a word.
    const bye = { type: "bye", reason: "too_slow", retryAfterSeconds: 1 };
    expect([
      [1013, bye],
      [1006, expect.anything()],
    ]).toContainEqual([await slow.closed, slow.frames.at(-1)]);
    await client.sync(created("last"));
    await quick.event("context.created", "last");
  });

  it("of a slow reader ends once 8 MiB of events wait", async ({ server, client }) => {
    const before = await countTooSlow(server);
    await using slow = await LiveClient.subscribe(liveAt(client, server.baseUrl));
    slow.socket.pause();
    const url = `https://example.com/${"x".repeat(8_000)}`;
    const long = { metadata: { note: "x".repeat(15_000) }, tabMetadata: { id: "tab-1", url, title: "Long" } };
    await client.batch(ids.map((id) => created(id, long)));
    // With these, fewer than 1,000 events.
    for (let round = 0; round < 8; round++) await hundredEvents(client);
    await expect.poll(() => countTooSlow(server), { timeout: 60_000 }).not.toBe(before);
  });

  it("ends within 5 seconds when its key is revoked, and others stay", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    await using server = await TestServer.start();
    const client = await server.client();
    const other = await server.client({ userId: client.userId });
    await using live = await LiveClient.subscribe(liveAt(client, server.baseUrl));
    await using staying = await LiveClient.subscribe(liveAt(other, server.baseUrl));
    await server.access.revokeKey(client.keyId);
    vi.advanceTimersByTime(5_000);
    expect(await live.next("bye")).toEqual({ type: "bye", reason: "unauthorized" });
    await other.sync(created("page"));
    await staying.event("current.changed", "page");
  });

  it("ends within 5 seconds when its key expires", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    await using server = await TestServer.start();
    const client = await server.client({ expiresInMs: 3_600_000 });
    await using live = await LiveClient.subscribe(liveAt(client, server.baseUrl));
    server.clock.aheadMs = 3_600_000;
    vi.advanceTimersByTime(5_000);
    expect(await live.next("bye")).toEqual({ type: "bye", reason: "unauthorized" });
  });
});

describe("server-sent events", () => {
  it("carry the same frames, with ids, and continue from Last-Event-ID", async ({ server, client }) => {
    await client.sync(created("zero"));
    await using live = await LiveClient.subscribe(liveAt(client, server.baseUrl));
    await using first = await EventStream.open(client, server.baseUrl);
    expect(first.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    await first.until("subscribed");
    await client.sync(created("one"));
    const seen = await first.until("current.changed");
    await live.event("current.changed", "one");
    const events = (frames: ServerFrame[]) => frames.filter(({ type }) => type === "event");
    expect(events(seen.map(({ frame }) => frame))).toEqual(events(live.frames));
    for (const { id, frame } of seen) expect(id).toBe("id" in frame ? frame.id : undefined);
    await first[Symbol.asyncDispose]();
    await client.sync(created("two"));
    await using again = await EventStream.open(client, server.baseUrl, { "Last-Event-ID": seen.at(-1)?.id ?? "" });
    const missed = await again.until("current.changed");
    expect(missed.map(({ frame }) => ("event" in frame ? `${frame.event} ${frame.context?.contextId}` : frame.type))).toEqual([
      "subscribed",
      "context.created two",
      "current.changed two",
    ]);
  });

  it("carry a comment every 15 seconds", async ({ server, client }) => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    await using stream = await EventStream.open(client, server.baseUrl);
    await stream.until("subscribed");
    for (let turn = 0; turn < 2; turn++) {
      vi.advanceTimersByTime(15_000);
      expect(await stream.block()).toBe(":");
    }
  });

  it("that end for a slow reader carry no comment after their end", async ({ server, client }) => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    await using _slow = await EventStream.open(client, server.baseUrl);
    expect(vi.getTimerCount()).toBe(1);
    await untilTooSlow(server, client);
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(15_000);
    expect((await client.get("/context/history")).status).toBe(200);
  });

  it("are not begun for a client that leaves while its key is looked up", async ({ server: sharedServer }) => {
    await using server = await TestServer.start({ rateLimits: { ...sharedServer.config.rateLimits, anonymous: 1 } });
    const client = await server.client();
    server.clock.now = Date.UTC(2026, 0, 31, 12);
    // Who asks too often without a key has to wait before a key is looked up.
    for (let count = 0; count < 2; count++) await fetch(`${server.baseUrl}/live`);
    for (let count = 0; count < 25; count++) {
      using leaving = RawConnection.open(server.baseUrl);
      leaving.request("GET /api/v1/live", { Authorization: `Bearer ${client.key}`, Accept: "text/event-stream" });
      await once(leaving.socket, "connect");
    }
    await using stream = await EventStream.open(client, server.baseUrl);
    await stream.until("subscribed");
  });

  it("take a filter and a place from the query, and refuse wrong ones", async ({ server, client }) => {
    await using forms = await EventStream.open(client, server.baseUrl, {}, "?type=form");
    await forms.until("subscribed");
    await client.sync(created("page"));
    await client.sync(created("form", { type: "form", content: "[]" }));
    const [first] = await forms.until("context.created");
    expect(first?.frame).toMatchObject({ context: { contextId: "form" } });
    for (const query of ["?type=other", "?after=x"])
      expectError(await client.send("GET", `/live${query}`, { headers: { Accept: "text/event-stream" } }), "bad_request");
    expectError(await client.send("GET", "/live", { headers: { Accept: "text/event-stream", "Last-Event-ID": "x" } }), "bad_request");
  });
});
