import { expect, test } from "vitest";
import { BackgroundWorld } from "../../test/background-world.js";
import { memoryStore, refuses } from "../../test/testing/index.js";
import { received, site, updates, viewed, visited, visitedWorld } from "../../test/visited-world.js";

const viewedTimes = (world: BackgroundWorld) => updates(world).map(({ id, metadata }) => [id, (metadata as { viewedMs: number }).viewedMs]);

test("adds up the time viewed over reloads", async () => {
  const { world, record } = visitedWorld();
  await record(viewed("1", 1_000));
  const hidden = viewed("2", 5_000, { of: "c-1", kind: "viewed" });
  // Its answer is lost.
  await record(hidden);
  await record(hidden);
  await record(viewed("3", 0, { kind: "reload" }));
  await record(viewed("4", 1_000, { of: "c-1", kind: "viewed" }));
  expect(world.stored()[0]?.payload.context).toMatchObject({ id: "c-1", metadata: { lang: "en", viewedMs: 1_000 } });
  expect(updates(world)[0]).toEqual({ id: "c-1", url: `${site}/`, metadata: { lang: "en", viewedMs: 6_000 } });
  expect(viewedTimes(world)).toEqual([6_000, 7_000].map((ms) => ["c-1", ms]));
});

test("adds up the time viewed in two tabs of one page", async () => {
  const { world, record } = visitedWorld();
  await record(viewed("1", 1_000));
  expect(await record(viewed("2", 500), { tabId: 8 })).toBe("c-1");
  await record(viewed("3", 2_500, { of: "c-1", kind: "viewed" }), { tabId: 8 });
  await record(viewed("4", 1_000, { of: "c-1", kind: "viewed" }));
  expect(viewedTimes(world)).toEqual([4_000, 5_000].map((ms) => ["c-1", ms]));
});

test("keeps the time viewed when a tab is closed while the worker sleeps", async () => {
  const { world, record } = visitedWorld();
  await record(viewed("1", 5_000));
  await record(viewed("2", 1_000, { kind: "reload" }));
  const sender = { tab: world.browser.tabs.get(7)!, url: `${site}/` };
  world.browser.stop();
  world.browser.tabs.delete(7);
  world.start();
  await world.ask(viewed("3", 3_000, { of: "c-1", kind: "viewed" }), sender);
  await world.pass(3_500);
  expect(viewedTimes(world)).toEqual([["c-1", 9_000]]);
});

test("counts no time in which the page was kept out", async () => {
  const { world, record } = visitedWorld();
  let [isPaused, isBlocked] = [false, false];
  world.start({ filter: (message) => (isPaused ? { keep: false, rule: "paused" } : { keep: true, message }), isWanted: () => !isBlocked });
  await record(viewed("1", 1_000));
  isPaused = true;
  await record(viewed("2", 5_000, { of: "c-1", kind: "viewed" }));
  await record(viewed("3", 6_000, { of: "c-1", text: "two" }));
  [isPaused, isBlocked] = [false, true];
  await record(viewed("4", 7_000, { kind: "reload" }));
  isBlocked = false;
  await record(viewed("5", 2_000, { of: "c-1", kind: "viewed" }));
  expect(viewedTimes(world)).toEqual([["c-1", 3_000]]);
});

test("adds the time of a message that was dropped to the next one", async () => {
  const { read, write } = memoryStore();
  let isFull = false;
  const world = new BackgroundWorld({
    read,
    write: (work, how) => (isFull ? Promise.reject(new DOMException("Full.", "QuotaExceededError")) : write(work, how)),
  });
  world.start();
  const page = { url: `${site}/` };
  await world.ask(viewed("1", 1_000), page);
  await world.pass(3_500);
  isFull = true;
  const dropped = await world.ask(viewed("2", 5_000, { of: "c-1", kind: "viewed" }), page);
  expect(dropped).toMatchObject({ value: { status: "dropped", reason: "storage-failed" } });
  isFull = false;
  await world.ask(viewed("3", 2_000, { of: "c-1", kind: "viewed" }), page);
  await world.pass(10_000);
  expect(viewedTimes(world)).toEqual([["c-1", 8_000]]);
});

test("sends the time viewed after the page it belongs to was stored", async () => {
  const { world, record } = visitedWorld();
  let fails = true;
  world.service.judge = ({ type }) =>
    fails && type === "create"
      ? { code: "internal_error", retryable: true }
      : type === "update" && fails
        ? { code: "not_found", retryable: false }
        : undefined;
  await record(viewed("1", 1_000));
  await record(viewed("2", 4_000, { of: "c-1", kind: "viewed" }));
  expect(world.stored()).toEqual([]);
  fails = false;
  await world.pass(60_000);
  expect(received(world)).toEqual(["page c-1 one", "undefined c-1 undefined"]);
  expect(viewedTimes(world)).toEqual([["c-1", 5_000]]);
});

test("sends a change of the text before a later update of the same context", async () => {
  const { world, record } = visitedWorld();
  await record(viewed("1", 1_000));
  world.service.always = refuses(503, "unavailable");
  await record(visited("2", { of: "c-9", text: "elsewhere", url: `${site}/9` }));
  // From now on minutes pass between two attempts.
  await world.pass(300_000);
  await record(viewed("3", 4_000, { of: "c-1", kind: "viewed" }));
  await record(viewed("4", 1_000, { of: "c-1", text: "two" }));
  await record(viewed("5", 3_000, { of: "c-1", kind: "viewed", text: "two" }));
  world.service.always = (store) => store();
  await world.pass(600_000);
  expect(received(world)).toEqual([
    "page c-1 one",
    "page c-9 elsewhere",
    "undefined c-1 undefined",
    "page c-1 two",
    "undefined c-1 undefined",
  ]);
  expect(viewedTimes(world).at(-1)).toEqual(["c-1", 9_000]);
});

test("tells another account nothing of a page that is still open", async () => {
  const { world, record } = visitedWorld();
  await record(viewed("1", 1_000));
  world.account = "bob";
  await record(viewed("2", 5_000, { of: "c-1", kind: "viewed" }));
  expect(received(world)).toEqual(["page c-1 one"]);
  // What it shows from then on is another visit, and its time begins anew.
  await record(viewed("3", 700, { of: "c-2", text: "two" }));
  expect(world.stored().at(-1)?.payload.context).toMatchObject({ id: "c-2", metadata: { viewedMs: 700 } });
});

test("filters the whole page again before it updates the time viewed", async () => {
  const world = new BackgroundWorld();
  const seen: unknown[] = [];
  world.start({
    filter(message) {
      if (message.type === "update") seen.push(message.payload.context.content);
      return { keep: true, message };
    },
  });
  await world.ask(viewed("1", 0), { url: `${site}/` });
  await world.pass(3_500);
  await world.ask(viewed("2", 5_000, { of: "c-1", kind: "viewed" }), { url: `${site}/` });
  await world.pass(3_500);
  // The whole page, then what is kept of it.
  expect(seen).toEqual(["one", undefined]);
  expect(updates(world)).toEqual([{ id: "c-1", url: `${site}/`, metadata: { lang: "en", viewedMs: 5_000 } }]);
});

test("sends no time viewed of a page that the filter rejects by now", async () => {
  const world = new BackgroundWorld();
  let isSecret = false;
  // A filter of the host's own, which decides by the text.
  world.start({
    filter: (message) =>
      isSecret && message.type === "update" && message.payload.context.content !== undefined
        ? { keep: false, rule: "secret" }
        : { keep: true, message },
  });
  await world.ask(viewed("1", 0), { url: `${site}/` });
  await world.pass(3_500);
  isSecret = true;
  const answer = await world.ask(viewed("2", 5_000, { of: "c-1", kind: "viewed" }), { url: `${site}/` });
  await world.pass(3_500);
  expect(answer).toMatchObject({ value: { status: "blocked", rule: "secret" } });
  expect(updates(world)).toEqual([]);
});

test("updates no context that was deleted meanwhile, and keeps no dead letter of it", async () => {
  const { world, record } = visitedWorld();
  const settled: string[] = [];
  const { sync } = world.start({ onSettled: ({ status, ...more }) => settled.push("reason" in more ? more.reason : status) });
  await record(viewed("1", 0));
  world.service.judge = () => ({ code: "not_found", retryable: false });
  await record(viewed("2", 5_000, { of: "c-1", kind: "viewed" }));
  expect(settled).toEqual(["stored", "removed"]);
  expect(await sync.status()).toMatchObject({ waiting: 0, deadLetters: 0 });
});

test("goes on with the time viewed after many other pages", async () => {
  const { world, record } = visitedWorld();
  await record(viewed("1", 1_000));
  const page = (tabId: number) => ({ tab: world.browser.tabs.get(tabId)!, url: `${site}/` });
  await record(viewed("2", 500), { tabId: 8 });
  for (let index = 10; index < 1_210; index += 1) {
    await world.ask(viewed(`${index}`, 500, { text: `text ${index}`, url: `${site}/${index}` }), page(7));
    // The second tab goes on showing the first page.
    if (index % 500 === 0) await world.ask(viewed(`still-${index}`, 250, { of: "c-1", kind: "viewed" }), page(8));
  }
  await world.pass(60_000);
  await record(viewed("3", 3_000, { of: "c-1", kind: "viewed" }));
  expect(viewedTimes(world).at(-1)).toEqual(["c-1", 5_000]);
});
