import "fake-indexeddb/auto";
import { expect, test } from "vitest";
import { BackgroundWorld, handIn } from "../../test/background-world.js";
import { turns } from "../../test/scenarios/scenario.js";
import { idbStore, type NewMessage } from "../core/index.js";
import { migrations, storeWith } from "../core/idb-store.js";
import { refuses, stalls } from "../../test/testing/index.js";
import { connectContextSync } from "./index.js";

test("a capture is answered when it is on the disk, and sent within three seconds", async () => {
  const world = new BackgroundWorld();
  world.start();
  expect(await world.ask(handIn())).toEqual({ periscope: 1, ok: true, value: { status: "queued", id: "m1" } });
  expect([await world.waiting(), world.stored()]).toEqual([1, []]);
  await world.pass(3_000);
  expect(world.stored()).toMatchObject([
    { id: "m1", type: "create", payload: { context: { id: "c1", tabId: "7", tabMetadata: { id: "7", windowId: 1, incognito: false } } } },
  ]);
  expect(await world.ask({ kind: "heartbeat", id: "h1", timestamp: "2026-01-31T12:00:05Z", contextId: "c1" })).toMatchObject({ ok: true });
  await world.pass(3_000);
  expect(world.stored()[1]).toMatchObject({ id: "h1", payload: { contextId: "c1", tabId: "7" } });
});

test("a store that is given as undefined is that of the browser", async () => {
  const world = new BackgroundWorld();
  world.start({ store: undefined as never });
  expect(await world.ask(handIn())).toMatchObject({ value: { status: "queued" } });
});

test("F22: stores a repeated request once, also when the worker died meanwhile", async () => {
  const world = new BackgroundWorld();
  world.start({ killAt: "after-enqueue" });
  expect(await world.ask(handIn())).toBeUndefined();
  const second = world.start();
  expect(await world.ask(handIn())).toMatchObject({ value: { status: "queued", id: "m1" } });
  expect(await world.waiting()).toBe(1);
  await world.pass(3_000);
  // The tab is another meanwhile in all that can change, and the message is the same.
  world.browser.tabs.set(7, { ...world.browser.tabs.get(7)!, active: false, title: "2 new" });
  expect(await world.ask(handIn(), { tab: world.browser.tabs.get(7)! })).toMatchObject({ value: { status: "queued" } });
  await world.pass(3_000);
  expect([world.stored().length, (await second.sync.status()).deadLetters]).toEqual([1, 0]);
});

test.each([
  ["another extension", handIn(), { id: "another" }, /not of this extension/],
  ["an address that is not the sender's", handIn({ url: "https://bank.example/" }), {}, /not that of its sender/],
  ["an opaque origin elsewhere", handIn(), { url: "https://bank.example/", origin: "null" }, /not that of its sender/],
  ["no tab", handIn(), { tab: undefined }, /content scripts of a tab/],
  ["a content script that calls a method", { kind: "call", method: "status", args: [] }, {}, /page of the extension/],
  ["another protocol", { ...handIn(), periscope: 2 }, {}, /another version/],
  ["an id that is too long", handIn({}, "i".repeat(129)), {}, /id is missing/],
  ["a capture that is none", handIn({ content: 7 as never }), {}, /capture.content is missing/],
])("%s is refused, and nothing is kept", async (_, request, sender, error) => {
  const world = new BackgroundWorld();
  world.start();
  expect(await world.ask(request, sender)).toEqual({ periscope: 1, ok: false, error: expect.stringMatching(error) });
  expect(await world.waiting()).toBe(0);
});

test("what is not of the protocol is left to others", async () => {
  const world = new BackgroundWorld();
  world.start();
  expect(await world.browser.fromPage({ kind: "enqueue" })).toBeUndefined();
});

test("a capture is bounded, and none of a frame is taken", async () => {
  const world = new BackgroundWorld();
  const filtered: NewMessage[] = [];
  const { sync, events } = world.start({ filter: (message) => (filtered.push(message), { keep: true, message }) });
  for (const visit of [undefined, "navigate", "viewed"] as const) {
    const large = handIn({ content: "x".repeat(1_048_577), ...(visit && { visit }) });
    expect(await world.ask(large)).toMatchObject({ value: { status: "dropped", reason: "too-large" } });
  }
  expect(await world.ask({ ...handIn({ content: "x".repeat(1_048_577) }), kind: "explain" })).toMatchObject({
    value: { rule: "too-large" },
  });
  expect(filtered).toEqual([]);
  // Within the contract, but too long as JSON.
  expect(await world.ask(handIn({ content: '"'.repeat(1_048_576) }))).toMatchObject({ value: { status: "dropped", reason: "too-large" } });
  expect(events.filter(({ type }) => type === "dropped")).toHaveLength(4);
  expect((await sync.status()).dropped).toEqual({ "too-large": 4 });
  const frame = { frameId: 2, url: "https://articles.example/comments" };
  expect(await world.ask(handIn(), frame)).toMatchObject({ value: { status: "blocked", rule: "frame" } });
  expect(await world.ask(handIn({ type: "selection" }), frame)).toMatchObject({ value: { status: "blocked", rule: "frame" } });
  expect(await world.ask(handIn({}, "m2"), { documentLifecycle: "prerender" })).toMatchObject({ value: { rule: "prerender" } });
});

test("F10: a refused key holds everything back, and a new one lets it go", async () => {
  const world = new BackgroundWorld();
  let key = "old";
  world.service.always = (store, batch) => (batch.key === "old" ? refuses(401, "unauthorized")(store, batch) : store());
  const { sync } = world.start({ apiKey: () => key });
  await world.ask(handIn());
  await world.pass(120_000);
  expect(world.service.received.length).toBe(1);
  expect(await sync.status()).toMatchObject({ reason: "auth", waiting: 1 });
  key = "new";
  await world.pass(30_000);
  expect([world.stored().length, world.service.received.length]).toEqual([1, 2]);
});

test("F16: many that flush at once send each message once, one request at a time", async () => {
  const world = new BackgroundWorld();
  const { sync } = world.start();
  const page = connectContextSync(world.browser.pages);
  let open = 0;
  let most = 0;
  world.service.always = async (store) => {
    most = Math.max(most, (open += 1));
    await turns();
    open -= 1;
    return store();
  };
  for (let index = 0; index < 250; index += 1) await sync.enqueue({ type: "heartbeat", payload: { contextId: `c${index}` } });
  await Promise.all([sync.flush(), page.flush(), page.flush(), world.pass(3_000)]);
  expect([most, world.stored().length, world.service.received.length]).toEqual([1, 250, 3]);
  expect(world.locks.held()).toEqual([]);
});

test("F21: sends no message of one account under the key of another", async () => {
  const world = new BackgroundWorld();
  world.service.always = refuses(503, "unavailable");
  const { sync } = world.start();
  await world.ask(handIn());
  await world.pass(3_000);
  world.account = "bob";
  world.service.always = (store) => store();
  await world.ask(handIn({ contextId: "c2" }, "m2"));
  await world.pass(120_000);
  expect([...world.service.stored.values()].map(({ id, key }) => [id, key])).toEqual([["m2", "key of bob"]]);
  world.account = "ada";
  await sync.flush();
  expect([...world.service.stored.values()].map(({ id, key }) => [id, key])).toEqual([
    ["m2", "key of bob"],
    ["m1", "key of ada"],
  ]);
});

test("F25: removing an account leaves no row and no request of it", async () => {
  const world = new BackgroundWorld();
  const { promise: open, resolve: pass } = Promise.withResolvers<void>();
  let isSlow = false;
  const { sync } = world.start({
    filter: async (message) => {
      if (isSlow) await open;
      return { keep: true, message };
    },
  });
  await world.ask(handIn());
  world.service.faults.push(stalls);
  void sync.flush();
  await turns();
  expect(world.service.received).toHaveLength(1);
  isSlow = true;
  const taken = sync.enqueue({ type: "heartbeat" });
  world.browser.navigate("onCommitted", { tabId: 7, url: "https://articles.example/next" });
  await turns();
  let isPurged = false;
  const purged = sync.removeAccount("ada").then(() => (isPurged = true));
  pass();
  await turns();
  expect([await taken, isPurged]).toMatchObject([{ status: "queued" }, false]);
  // The request on its way ends by its time limit, and only then is the purge done.
  await world.pass(20_000);
  await purged;
  expect([await world.waiting(), world.service.received.length, world.browser.alarms.size]).toEqual([0, 1, 0]);
  await world.pass(600_000);
  expect([await world.waiting(), world.service.received.length]).toEqual([0, 1]);
});

test("F25: removing an account also drops messages that are being enqueued", async () => {
  const world = new BackgroundWorld();
  const { promise: open, resolve: pass } = Promise.withResolvers<void>();
  const { sync } = world.start({ filter: async (message) => (await open, { keep: true, message }) });
  await turns();
  const taken = sync.enqueue({ type: "heartbeat" });
  world.browser.navigate("onCommitted", { tabId: 7, url: "https://articles.example/next" });
  await turns();
  const purged = sync.removeAccount("ada");
  await turns();
  pass();
  await Promise.all([taken, purged]);
  expect(await world.waiting()).toBe(0);
  await world.pass(35_000);
  expect([await world.waiting(), world.service.received.length]).toEqual([0, 0]);
});

test("F26: drains an offline queue in order and in full batches", async () => {
  const world = new BackgroundWorld();
  world.service.always = refuses(503, "unavailable", { "Retry-After": "60" });
  const { sync } = world.start();
  const ids = Array.from({ length: 1_000 }, (_, index) => `m${index}`);
  for (const id of ids) await sync.enqueue({ id, type: "heartbeat", payload: { contextId: id } });
  await world.pass(3_000);
  world.service.always = (store) => store();
  await world.pass(90_000);
  expect([...world.service.stored.keys()]).toEqual(ids);
  // The first after a failure is a small one, to see whether it passes.
  expect(world.service.received.length).toBeLessThanOrEqual(14);
  expect([world.browser.alarmsMade(), world.browser.alarms.size]).toEqual([1, 0]);
});

test("F18: a newer version takes over the open database and its messages", async () => {
  const name = "background-f18";
  const world = new BackgroundWorld(idbStore({ name }));
  world.start();
  await world.ask(handIn());
  const next = [...migrations, (db: Parameters<(typeof migrations)[0]>[0]) => void db.createObjectStore("more")];
  const { sync } = world.start({ store: storeWith(next, { name }) });
  await sync.flush();
  expect(world.stored()).toHaveLength(1);
});

test("F29: a dead letter that is tried again arrives under its id, once", async () => {
  const world = new BackgroundWorld();
  world.service.judge = () => ({ code: "validation_error", retryable: false });
  world.start();
  const page = connectContextSync(world.browser.pages);
  await world.ask(handIn());
  await world.pass(3_000);
  expect(await page.deadLetters.list(10)).toMatchObject([{ id: "m1", code: "validation_error" }]);
  world.service.judge = () => undefined;
  expect(await page.deadLetters.retry(["m1"])).toBe(1);
  await world.pass(3_000);
  expect(world.stored().map(({ id }) => id)).toEqual(["m1"]);
});

test("a pause holds across restarts, and its end sends", async () => {
  const world = new BackgroundWorld();
  const first = world.start();
  const page = connectContextSync(world.browser.pages);
  await page.pause(3_600_000);
  await world.ask(handIn());
  first.kill();
  world.start();
  await world.pass(60_000);
  expect([world.stored(), (await page.status()).reason]).toEqual([[], "paused"]);
  await world.pass(3_600_000);
  expect(world.stored()).toHaveLength(1);
  await page.pause();
  await world.ask(handIn({}, "m2"));
  await world.pass(60_000);
  expect(world.stored()).toHaveLength(1);
  await page.resume();
  await turns();
  expect(world.stored()).toHaveLength(2);
});

test("a listener that throws is no failure of the sync", async () => {
  const world = new BackgroundWorld();
  const fails = () => {
    throw new Error("of a listener");
  };
  const { sync } = world.start({ onEvent: fails, onSettled: fails });
  await world.ask(handIn({ title: "x".repeat(3_000) }));
  await world.ask(handIn());
  // The second is the report of what was too large.
  expect(await sync.flush()).toMatchObject({ synced: 2, endedBy: "empty" });
});

test("answers a page with words for what went wrong", async () => {
  const world = new BackgroundWorld();
  const page = connectContextSync(world.browser.pages);
  await expect(page.status()).rejects.toThrow("The background did not answer.");
  world.start();
  await expect(world.browser.pages.sendMessage({ periscope: 1, kind: "call", method: "toString", args: [] })).resolves.toMatchObject({
    error: 'There is no method "toString".',
  });
});
