import { privacyLevels } from "@periscope/privacy";
import { describe, expect } from "vitest";
import { toEventId, toPosition } from "../src/live/live.store.js";
import { brokenOffAfter, LiveClient, liveAt } from "./live-client.js";
import { createMessage, deleteMessage, heartbeat, updateMessage } from "./messages.js";
import { withSharedServer as it } from "./test-server.js";

const created = (id: string, fields: Record<string, unknown> = {}) => createMessage({ context: { id, ...fields } });

describe("events", () => {
  it("tell in order what was created, updated, viewed and deleted, and what is current", async ({ server, client }) => {
    await using live = await LiveClient.subscribe(liveAt(client, server.baseUrl));
    await client.sync(created("one"));
    await live.event("current.changed", "one");
    await client.sync(updateMessage("one", { title: "A new title" }));
    await live.event("current.changed", "one");
    await client.sync(created("background", { tabMetadata: { id: "8", url: "https://b.example/", title: "B", isActive: false } }));
    await live.event("context.created", "background");
    await client.sync(heartbeat("background", new Date().toISOString()));
    await live.event("current.changed", "background");
    await client.delete("/context/background");
    await live.event("current.changed", "one");
    await client.sync(deleteMessage("one"));
    await live.event("current.changed");
    expect(live.events).toEqual([
      "context.created one",
      "current.changed one",
      "context.updated one",
      "current.changed one",
      "context.created background",
      "context.viewed background",
      "current.changed background",
      "context.deleted background",
      "current.changed one",
      "context.deleted one",
      "current.changed undefined",
    ]);
    const ids = live.frames.flatMap((frame) => (frame.type === "event" ? [frame.id] : []));
    expect(ids).toEqual([...new Set(ids)].toSorted());
  });

  it("carry the context without its content", async ({ server, client }) => {
    await using live = await LiveClient.subscribe(liveAt(client, server.baseUrl));
    await client.sync(created("page", { content: "Grüße", metadata: { pages: 3 } }));
    const { context } = await live.event("current.changed");
    const { content: _content, ...answered } = (await client.get("/context/page")).body;
    expect(context).toEqual({ ...answered, contentLength: 7 });
  });

  it("of a batch come in its order", async ({ server, client }) => {
    await using live = await LiveClient.subscribe(liveAt(client, server.baseUrl));
    const ids = Array.from({ length: 100 }, (_, index) => `c${index}`);
    await client.batch(ids.map((id) => created(id)));
    await live.event("context.created", "c99");
    expect(live.events.filter((event) => event.startsWith("context.created"))).toEqual(ids.map((id) => `context.created ${id}`));
  });

  it("are not sent for replays, nor for other users", async ({ server, client }) => {
    const stranger = await server.client();
    await using live = await LiveClient.subscribe(liveAt(client, server.baseUrl));
    const message = created("page");
    await client.sync(message);
    await client.sync(message);
    await stranger.sync(created("foreign"));
    await client.sync(created("last"));
    await live.event("current.changed", "last");
    expect(live.events.filter((event) => event.startsWith("context"))).toEqual(["context.created page", "context.created last"]);
  });

  it("can be filtered by type, tab and extension, current.changed too", async ({ server, client }) => {
    const at = liveAt(client, server.baseUrl);
    await using tab = await LiveClient.subscribe(at, { filter: { tabId: "8", extensionId: "laptop" } });
    await using forms = await LiveClient.subscribe(at, { filter: { type: "form" } });
    for (const [id, tabId, extensionId] of [
      ["a", "8", "phone"],
      ["b", "7", "laptop"],
      ["c", "8", "laptop"],
    ] as const)
      await client.sync({ ...created(id, { tabId, tabMetadata: { id: tabId, url: "https://a.example/", title: "A" } }), extensionId });
    await client.sync(created("f", { type: "form", content: "[]" }));
    await tab.event("current.changed", "c");
    await forms.event("context.created", "f");
    expect(tab.events).toEqual(["context.created c", "current.changed c"]);
    expect(forms.events.filter((event) => !event.endsWith(" f"))).toEqual([]);
  });
});

describe("a subscriber that reconnects", () => {
  it("gets what it missed, once and in order, then what is new", async ({ server, client }) => {
    const at = liveAt(client, server.baseUrl);
    await client.sync(created("zero"));
    const id = await brokenOffAfter(at, client, "one");
    for (const name of ["two", "three"]) await client.sync(created(name));
    await client.delete("/context/two");
    await using again = await LiveClient.subscribe(at, { after: id });
    await again.event("current.changed", "three");
    await client.sync(created("four"));
    await again.event("current.changed", "four");
    expect(again.events).toEqual([
      "context.created three",
      "context.deleted two",
      "current.changed three",
      "context.created four",
      "current.changed four",
    ]);
  });

  it("continues from the id of subscribed when it got no event", async ({ server, client }) => {
    const at = liveAt(client, server.baseUrl);
    const first = await LiveClient.open(at);
    first.send({ type: "subscribe", channel: "current-context" });
    const { id } = await first.next("subscribed");
    first.kill();
    await client.sync(created("missed"));
    await using again = await LiveClient.subscribe(at, { after: id });
    await again.event("context.created", "missed");
  });

  it("is told what is current when it broke off right after the change", async ({ server, client }) => {
    const at = liveAt(client, server.baseUrl);
    const first = await LiveClient.subscribe(at);
    await client.sync(created("one"));
    const { id } = await first.event("context.created", "one");
    first.kill();
    await using again = await LiveClient.subscribe(at, { after: id });
    await again.event("current.changed", "one");
    expect(again.events).toEqual(["current.changed one"]);
  });

  it("gets what it missed although the privacy rules were replaced", async ({ server, client }) => {
    const at = liveAt(client, server.baseUrl);
    const id = await brokenOffAfter(at, client, "one");
    await client.sync(created("two"));
    await client.putRules({ denyList: ["Ada Lovelace"] });
    await client.sync(created("three"));
    await using again = await LiveClient.subscribe(at, { after: id });
    await again.event("current.changed", "three");
    expect(again.events).toEqual(["context.created two", "context.created three", "current.changed three"]);
    await client.putRules({});
    await client.sync(created("four"));
    await again.event("current.changed", "four");
    expect(again.frames.map(({ type }) => type)).not.toContain("error");
  });

  it("can break off right after subscribed, and misses nothing", async ({ server, client }) => {
    const at = liveAt(client, server.baseUrl);
    const id = await brokenOffAfter(at, client, "one");
    await client.sync(created("two"));
    const second = await LiveClient.open(at);
    second.send({ type: "subscribe", channel: "current-context", after: id });
    const subscribed = await second.next("subscribed");
    second.kill();
    await using third = await LiveClient.subscribe(at, { after: subscribed.id });
    await third.event("current.changed", "two");
    expect(third.events).toEqual(["context.created two", "current.changed two"]);
  });

  it("has to resync when its id is ahead of the database, and gets what is new", async ({ server, client }) => {
    const at = liveAt(client, server.baseUrl);
    const id = await brokenOffAfter(at, client, "one");
    const position = toPosition(id);
    // As after an import into another database, whose revisions are lower.
    const ahead = toEventId({ ...position, revision: position.revision + 1_000 });
    await using again = await LiveClient.subscribe(at, { after: ahead });
    expect(again.frames).toMatchObject([
      { type: "error", error: "resync_required" },
      { type: "subscribed", current: { contextId: "one" } },
    ]);
    await client.sync(created("two"));
    await again.event("current.changed", "two");
  });

  it("has to resync past 1,000 events", async ({ server, client }) => {
    const at = liveAt(client, server.baseUrl);
    const ids = Array.from({ length: 100 }, (_, index) => `c${index}`);
    const first = await LiveClient.subscribe(at);
    await client.batch([...ids, "page"].slice(1).map((id) => created(id)));
    const { id } = await first.event("context.created", "page");
    first.kill();
    const views = () =>
      client.batch(
        ids
          .slice(1)
          .concat("page")
          .map((name) => heartbeat(name, new Date().toISOString())),
      );
    for (let round = 0; round < 9; round++) await views();
    await using inTime = await LiveClient.subscribe(at, { after: id });
    await inTime.event("current.changed");
    for (let round = 0; round < 2; round++) await views();
    await using again = await LiveClient.subscribe(at, { after: id });
    expect(again.frames).toMatchObject([
      { type: "error", error: "resync_required" },
      { type: "subscribed", current: { contextId: expect.any(String) } },
    ]);
    await client.sync(created("last"));
    await again.event("context.created", "last");
  });
});

describe("a key with a maximum privacy level", () => {
  it("hears of a stricter context nothing at all", async ({ server }) => {
    for (const [index, level] of privacyLevels.slice(0, 3).entries()) {
      const own = await server.client();
      const bounded = await server.client({ userId: own.userId, maxPrivacyLevel: level });
      await using live = await LiveClient.subscribe(liveAt(bounded, server.baseUrl));
      await own.sync(created("visible", { privacyLevel: level }));
      await live.event("current.changed", "visible");
      const above = privacyLevels[index + 1]!;
      await own.sync(created("hidden", { privacyLevel: above }));
      await own.sync(heartbeat("hidden", new Date().toISOString()));
      await own.sync(updateMessage("hidden", { title: "Still hidden" }));
      await own.delete("/context/hidden");
      await own.sync(created("raised", { privacyLevel: level }));
      await live.event("current.changed", "raised");
      await own.sync(updateMessage("raised", { privacyLevel: above }));
      await live.event("current.changed", "visible");
      expect(live.events).toEqual([
        "context.created visible",
        "current.changed visible",
        "context.created raised",
        "current.changed raised",
        "current.changed visible",
      ]);
      expect(JSON.stringify(live.frames)).not.toContain("hidden");
    }
  });
});
