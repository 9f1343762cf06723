import { expect, test } from "vitest";
import { BackgroundWorld, handIn } from "../../test/background-world.js";
import type { MessageFilter } from "../core/message.js";
import type { VisitKind } from "../protocol.js";
import { memoryStore, refuses } from "../../test/testing/index.js";
import { turns } from "../../test/scenarios/scenario.js";

const site = "https://app.example";

interface Seen {
  of?: string;
  text?: string;
  kind?: VisitKind;
  url?: string;
  isActive?: boolean;
}

/** What a content script records of a visit. */
const visited = (id: string, { of = `c-${id}`, text = "", kind = "navigate", url = `${site}/`, isActive = true }: Seen = {}) =>
  handIn({ contextId: of, type: text === "" ? "navigation" : "page", visit: kind, url, content: text, isActive }, id);

/** The world in which a tab shows a page of the site. */
function visitedWorld(): { world: BackgroundWorld; record: (request: object, more?: { tabId?: number }) => Promise<unknown> } {
  const world = new BackgroundWorld();
  world.start();
  const tab = { windowId: 1, incognito: false, pinned: false, url: `${site}/` };
  for (const id of [7, 8]) world.browser.tabs.set(id, { ...tab, id, active: id === 7 });
  return {
    world,
    async record(request, { tabId = 7 } = {}) {
      const answer = await world.ask<{ status: string; contextId: string }>(request, {
        tab: world.browser.tabs.get(tabId)!,
        url: `${site}/`,
      });
      await world.pass(3_500);
      return answer?.ok === true ? answer.value.contextId : answer;
    },
  };
}

/** What the service has of contexts: their id, type and text, in the order in which it came. */
const received = (world: BackgroundWorld) =>
  world.stored().map(({ type, payload }) => {
    const { context, contextId } = payload as object as { context?: { id: string; type: string; content: string }; contextId?: string };
    return context === undefined ? `${type} ${contextId}` : `${context.type} ${context.id} ${context.content}`.trim();
  });

test("keeps one context for address, text, reload and changed text", async () => {
  const { world, record } = visitedWorld();
  await record(visited("1"));
  await record(visited("2", { of: "c-1", text: "one" }));
  expect(received(world)).toEqual(["navigation c-1", "page c-1 one"]);
  expect(await record(visited("3", { kind: "reload" }))).toBe("c-1");
  expect(await record(visited("4", { kind: "reload", text: "one" }))).toBe("c-1");
  expect(await record(visited("5", { kind: "reload", text: "two" }))).toBe("c-1");
  expect(received(world).slice(2)).toEqual(["heartbeat c-1", "heartbeat c-1", "page c-1 two"]);
});

test("going back within a document is a view of the context of its address", async () => {
  const { world, record } = visitedWorld();
  await record(visited("1", { text: "list" }));
  await record(visited("2", { text: "message", url: `${site}/#/7` }));
  expect(await record(visited("3", { kind: "back_forward", text: "list" }))).toBe("c-1");
  // An entry whose address was rewritten shows something else.
  expect(await record(visited("4", { kind: "back_forward", text: "more", url: `${site}/?page=2` }))).toBe("c-4");
  expect(received(world)).toEqual(["page c-1 list", "page c-2 message", "heartbeat c-1", "page c-4 more"]);
});

test("sends one message for a page that is announced and read within seconds", async () => {
  const world = new BackgroundWorld();
  world.start();
  const url = "https://articles.example/lamp";
  await world.ask(visited("1", { url }));
  await world.ask(visited("2", { of: "c-1", url, text: "one" }));
  expect(await world.waiting()).toBe(1);
  await world.pass(3_500);
  expect(received(world)).toEqual(["page c-1 one"]);
});

test("reuses the context for a duplicated tab while the text is the same", async () => {
  const { world, record } = visitedWorld();
  await record(visited("1", { text: "one" }));
  await record(visited("2"), { tabId: 8 });
  expect(await record(visited("3", { text: "one" }), { tabId: 8 })).toBe("c-1");
  expect(received(world)).toEqual(["page c-1 one", "heartbeat c-1"]);
});

test("gives a duplicated tab a context of its own once its text is another", async () => {
  const { world, record } = visitedWorld();
  await record(visited("1", { text: "one" }));
  expect(await record(visited("2", { text: "one" }), { tabId: 8 })).toBe("c-1");
  // The content script goes on under the id that it was answered.
  const changed = visited("3", { of: "c-1", text: "other" });
  const own = String(await record(changed, { tabId: 8 }));
  expect(own).not.toBe("c-1");
  // Its answer is lost.
  expect(await record(changed, { tabId: 8 })).toBe(own);
  expect(await record(visited("4", { of: own, text: "another" }), { tabId: 8 })).toBe(own);
  expect(await record(visited("5", { of: "c-1", text: "new" }))).toBe("c-1");
  expect(received(world)).toEqual(["page c-1 one", "heartbeat c-1", `page ${own} other`, `page ${own} another`, "page c-1 new"]);
});

test("gives a tab that returns to a text a context of its own while another tab shows a newer one", async () => {
  const { world, record } = visitedWorld();
  await record(visited("1", { text: "one" }));
  await record(visited("2", { text: "one" }), { tabId: 8 });
  await record(visited("3", { text: "elsewhere", url: `${site}/3` }), { tabId: 8 });
  await record(visited("4", { of: "c-1", text: "new" }));
  expect(await record(visited("5", { kind: "back_forward", text: "one" }), { tabId: 8 })).not.toBe("c-1");
  expect(received(world).filter((each) => each.startsWith("heartbeat"))).toEqual(["heartbeat c-1"]);
});

test("views the tab in front, and a page that returns from the cache", async () => {
  const { world, record } = visitedWorld();
  await record(visited("1", { text: "one" }));
  await record(visited("2", { text: "two", url: `${site}/2`, isActive: false }), { tabId: 8 });
  world.browser.activate(8);
  await world.pass(3_500);
  world.browser.activate(7);
  await world.pass(3_500);
  expect(received(world).slice(2)).toEqual(["heartbeat c-2", "heartbeat c-1"]);
  world.browser.navigate("onCommitted", { tabId: 7, url: `${site}/` });
  await record(visited("3", { text: "three", url: `${site}/3` }));
  await world.ask(
    { kind: "heartbeat", id: "h1", timestamp: "2026-01-31T12:00:05Z", contextId: "c-1" },
    { tab: world.browser.tabs.get(7)! },
  );
  world.browser.activate(7);
  await world.pass(3_500);
  expect(received(world).slice(4)).toEqual(["page c-3 three", "heartbeat c-1"]);
});

test("a request that is repeated is the same message, also when its worker died", async () => {
  const { world, record } = visitedWorld();
  await record(visited("1"));
  expect(await record(visited("1"))).toBe("c-1");
  world.start();
  expect(await record(visited("1"))).toBe("c-1");
  expect(received(world)).toEqual(["navigation c-1"]);
});

test("a tab that was closed while no worker heard of it shows nothing any more", async () => {
  const { world, record } = visitedWorld();
  await record(visited("1", { text: "one" }));
  world.browser.tabs.delete(7);
  world.start();
  expect(await record(visited("2", { text: "one" }), { tabId: 8 })).toBe("c-2");
});

test("turns a browser visit into the page of a late content script", async () => {
  const { world, record } = visitedWorld();
  world.browser.navigate("onCommitted", { tabId: 7, url: `${site}/` });
  await world.pass(5_000);
  const id = await record(visited("1", { text: "one" }));
  expect(received(world)).toEqual([`navigation ${String(id)}`, `page ${String(id)} one`]);
});

test("turns a visit into a page when its text was read, and views it on reload", async () => {
  const world = new BackgroundWorld();
  let content = "One lamp.";
  world.start({ readPage: async ({ url }) => (url.endsWith(".pdf") ? { content, contentFormat: "text", title: "Lamps" } : undefined) });

  const load = async (path: string, transitionType: string) => {
    world.browser.navigate("onCommitted", { tabId: 7, url: `${site}/${path}`, transitionType });
    await world.pass(8_000);
  };
  await load("lamps.pdf", "link");
  await load("lamps.pdf", "reload");
  content = "Two lamps.";
  await load("lamps.pdf", "reload");
  await load("other", "link");
  const [first] = world.stored();
  const { id } = (first?.payload.context ?? {}) as { id?: string };
  expect(received(world)).toEqual([
    `page ${id} One lamp.`,
    `heartbeat ${id}`,
    `heartbeat ${id}`,
    `page ${id} Two lamps.`,
    expect.stringMatching(/^navigation /),
  ]);
  expect(first?.payload.context).toMatchObject({ title: "Lamps", url: `${site}/lamps.pdf` });
});

test("text that is read when its visit is forgotten already is not kept", async () => {
  const world = new BackgroundWorld();
  const read = Promise.withResolvers<{ content: string; contentFormat: "text" }>();
  const { sync } = world.start({ readPage: () => read.promise });
  world.browser.navigate("onCommitted", { tabId: 7, url: `${site}/lamps.pdf` });
  await world.pass(1_500);
  await sync.remove(() => true);
  read.resolve({ content: "One lamp.", contentFormat: "text" });
  await world.pass(5_000);
  expect(received(world).filter((each) => each.startsWith("page"))).toEqual([]);
});

test("sends no view of the last page after the tab left it", async () => {
  const { world, record } = visitedWorld();
  await record(visited("1", { text: "one" }));
  const tab = world.browser.tabs.get(7)!;
  world.browser.tabs.set(7, { ...tab, url: "https://bank.example/" });
  world.browser.activate(7);
  await world.pass(3_500);
  expect(received(world)).toEqual(["page c-1 one"]);
  world.browser.tabs.set(7, { ...tab, url: `${site}/?rewritten` });
  world.browser.activate(7);
  await world.pass(3_500);
  expect(received(world)).toEqual(["page c-1 one", "heartbeat c-1"]);
});

test.each([
  ["", true, []],
  [" where the browser tells no address of the site either", false, ["heartbeat c-1"]],
])("a tab without an address shows none that the extension has access to%s", async (_, hasAccess, views) => {
  const { world, record } = visitedWorld();
  world.start({ apis: { ...world.browser.start(), permissions: { contains: async () => hasAccess } } });
  await record(visited("1", { text: "one" }));
  world.browser.tabs.set(7, { ...world.browser.tabs.get(7)!, url: undefined });
  world.browser.activate(7);
  await world.pass(3_500);
  expect(received(world)).toEqual(["page c-1 one", ...views]);
});

test("what a person asks for is stored once more, since it may have been deleted", async () => {
  const { world, record } = visitedWorld();
  await record(visited("1", { text: "one" }));
  await record(visited("2", { of: "c-1", text: "one", kind: "asked" }));
  expect(received(world)).toEqual(["page c-1 one", "page c-1 one"]);
});

const noNavigations: MessageFilter = (message) =>
  message.type === "create" && message.payload.context.type === "navigation"
    ? { keep: false, rule: "no-navigations" }
    : { keep: true, message };

test("a page is read where the filter keeps addresses out and lets pages pass", async () => {
  const world = new BackgroundWorld();
  world.start({ filter: noNavigations, readPage: async () => ({ content: "One lamp.", contentFormat: "text" }) });
  world.browser.navigate("onCommitted", { tabId: 7, url: `${site}/lamps.pdf` });
  await world.pass(5_000);
  expect(received(world)[0]).toMatch(/^page .* One lamp\.$/);
});

test.each<[string, (world: BackgroundWorld) => unknown, unknown[]]>([
  ["a reload", ({ browser }) => browser.navigate("onCommitted", { tabId: 7, url: `${site}/`, transitionType: "reload" }), [/^navigation /]],
  ["its content script", (world) => world.ask(visited("1"), { tab: world.browser.tabs.get(7)!, url: `${site}/` }), [/^navigation c-1$/]],
  ["another tab", (world) => world.ask(visited("1"), { tab: world.browser.tabs.get(8)!, url: `${site}/` }), [/^navigation c-1$/]],
  ["a tab switch", ({ browser }) => browser.activate(7), []],
])("what was blocked is not taken for known when it is shown again, by %s", async (_, showAgain, expected) => {
  const { world } = visitedWorld();
  let isPaused = true;
  world.start({
    filter: (message) => (isPaused ? { keep: false, rule: "paused" } : { keep: true, message }),
    readPage: async () => undefined,
  });
  world.browser.navigate("onCommitted", { tabId: 7, url: `${site}/` });
  await world.pass(5_000);
  isPaused = false;
  await showAgain(world);
  await world.pass(5_000);
  // Behind them only the report of what was blocked.
  const contexts = received(world).filter((each) => !each.startsWith("error"));
  expect(contexts).toEqual(expected.map((each) => expect.stringMatching(each as RegExp) as unknown));
});

test("sends no late title of an address that the filter keeps out", async () => {
  const world = new BackgroundWorld();
  world.start({ filter: noNavigations, readPage: () => new Promise(() => {}) });
  world.browser.navigate("onCommitted", { tabId: 7, url: `${site}/lamps.pdf` });
  await world.pass(5_000);
  world.browser.retitle(7, "Lamps of the coast");
  await world.pass(5_000);
  expect(updates(world)).toEqual([]);
});

const updates = (world: BackgroundWorld) =>
  world.stored().flatMap(({ type, payload }) => (type === "update" ? [payload.context as object as Record<string, unknown>] : []));

/** What a document says of how long it showed a page with a text since it said so last. */
const viewed = (id: string, viewedMs: number, more: Seen = {}) => {
  const request = visited(id, { text: "one", ...more });
  return { ...request, capture: { ...request.capture, metadata: { lang: "en" }, viewedMs } };
};
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

test("takes the title of a page without a content script when it comes later", async () => {
  const world = new BackgroundWorld();
  world.start();
  const url = `${site}/keeper.pdf`;
  world.browser.navigate("onCommitted", { tabId: 7, url });
  world.browser.retitle(7, "keeper.pdf");
  await world.pass(5_000);
  world.browser.retitle(7, "The keeper");
  world.browser.retitle(7, "The keeper");
  await world.pass(5_000);
  expect(world.stored().map(({ payload: { context } }) => context?.title)).toEqual(["keeper.pdf", "The keeper"]);
  // That of another page, and one of long after, are none of this one.
  world.browser.tabs.set(7, { ...world.browser.tabs.get(7)!, url: "https://bank.example/" });
  world.browser.retitle(7, "Account 4111");
  await turns();
  world.browser.tabs.set(7, { ...world.browser.tabs.get(7)!, url });
  await world.pass(300_000);
  world.browser.retitle(7, "Much later");
  await world.pass(5_000);
  expect(updates(world)).toEqual([{ id: expect.any(String), url, title: "The keeper", tabMetadata: { title: "The keeper" } }]);
});

test("keeps the text of a PDF that is read after its title came", async () => {
  const world = new BackgroundWorld();
  const text = Promise.withResolvers<{ content: string; contentFormat: "text" }>();
  world.start({ readPage: () => text.promise });
  const url = `${site}/keeper.pdf`;
  world.browser.navigate("onCommitted", { tabId: 7, url });
  world.browser.retitle(7, "keeper.pdf");
  await world.pass(5_000);
  world.browser.retitle(7, "The keeper");
  await world.pass(5_000);
  text.resolve({ content: "The lamp is lit at dusk.", contentFormat: "text" });
  await turns();
  await world.pass(5_000);
  const { type, title, content } = world.stored().at(-1)?.payload.context ?? {};
  expect([type, title, content]).toEqual(["page", "The keeper", "The lamp is lit at dusk."]);
  // The service keeps the newer of two messages.
  const times = [...world.service.stored.values()].map(({ json }) => (JSON.parse(json) as { timestamp: string }).timestamp);
  expect(times.at(-1)).toBe(times.toSorted().at(-1));
  expect(new Set(times).size).toBe(times.length);
});

test("keeps one context for a page without a content script that returns from the cache", async () => {
  const { world, record } = visitedWorld();
  world.browser.navigate("onCommitted", { tabId: 7, url: `${site}/` });
  await world.pass(5_000);
  world.browser.navigate("onCommitted", { tabId: 7, url: `${site}/2` });
  await record(visited("1", { text: "two", url: `${site}/2` }));
  world.browser.navigate("onCommitted", { tabId: 7, url: `${site}/`, transitionType: "link", transitionQualifiers: ["forward_back"] });
  await world.pass(5_000);
  const [first] = world.stored();
  const { id } = (first?.payload.context ?? {}) as { id?: string };
  expect(received(world)).toEqual([`navigation ${id}`, "page c-1 two", `heartbeat ${id}`]);
});

test("makes no second context of a page that returns after many others", async () => {
  const { world, record } = visitedWorld();
  await record(visited("1", { text: "one" }));
  for (let index = 2; index < 30; index += 1) await record(visited(`${index}`, { text: `text ${index}`, url: `${site}/${index}` }));
  world.browser.navigate("onCommitted", { tabId: 7, url: `${site}/`, transitionQualifiers: ["forward_back"] });
  await world.ask(
    { kind: "heartbeat", id: "h1", timestamp: "2026-01-31T12:00:05Z", contextId: "c-1" },
    { tab: world.browser.tabs.get(7)! },
  );
  await world.pass(5_000);
  expect(received(world).slice(-1)).toEqual(["heartbeat c-1"]);
});

test("neither heartbeats, reloads nor tab switches view a page whose site was blocked meanwhile", async () => {
  const { world, record } = visitedWorld();
  let isBlocked = false;
  world.start({ isWanted: () => !isBlocked });
  await record(visited("1", { text: "one" }));
  isBlocked = true;
  const beat = { kind: "heartbeat", id: "h1", timestamp: "2026-01-31T12:00:05Z", contextId: "c-1" };
  expect(await world.ask(beat, { tab: world.browser.tabs.get(7)!, url: `${site}/` })).toMatchObject({ value: { status: "blocked" } });
  const again = visited("2", { kind: "reload", text: "one" });
  expect(await world.ask(again, { tab: world.browser.tabs.get(7)!, url: `${site}/` })).toMatchObject({ value: { status: "blocked" } });
  world.browser.activate(7);
  await world.pass(5_000);
  expect(received(world)).toEqual(["page c-1 one"]);
});

test("a tab switch views no page while its tab shows one that is not wanted", async () => {
  const { world, record } = visitedWorld();
  world.start({ isWanted: (url) => !url.endsWith("/private") });
  await record(visited("1", { text: "one" }));
  world.browser.tabs.set(7, { ...world.browser.tabs.get(7)!, url: `${site}/private` });
  world.browser.activate(7);
  await world.pass(3_500);
  expect(received(world)).toEqual(["page c-1 one"]);
});

test("forgets only the visits whose messages are removed", async () => {
  const { world, record } = visitedWorld();
  const { sync } = world.start();
  const secret = { url: `${site}/secret` };
  await record(viewed("1", 60_000));
  await record(viewed("2", 1_000, secret), { tabId: 8 });
  await sync.remove(({ type, payload }) => type === "create" && payload.context.url === secret.url);
  expect(await record(viewed("3", 1_000, { of: "c-1", text: "two" }))).toBe("c-1");
  expect(world.stored().at(-1)?.payload.context).toMatchObject({ id: "c-1", content: "two", metadata: { viewedMs: 61_000 } });
  expect(await record(visited("4", { kind: "reload", text: "two" }))).toBe("c-1");
  // Of what was forgotten, no time is sent, and what its tab shows from then on is another visit.
  await record(viewed("5", 1_000, { ...secret, of: "c-2", kind: "viewed" }), { tabId: 8 });
  expect(viewedTimes(world)).toEqual([]);
  expect(await record(visited("6", { ...secret, kind: "reload", text: "one" }), { tabId: 8 })).toBe("c-6");
});

test("records a page anew that was removed by its text, or had to make room, before it was sent", async () => {
  const { world, record } = visitedWorld();
  world.service.always = refuses(503, "unavailable");
  const { sync } = world.start({ limits: { items: 4 } });
  await record(visited("1", { text: "diary" }));
  await sync.remove(({ type, payload }) => type === "create" && payload.context.content === "diary");
  expect(await record(visited("2", { kind: "reload", text: "diary" }))).toBe("c-2");
  for (let index = 0; index < 4; index += 1) await sync.enqueue({ type: "config", payload: { config: { index } } });
  expect(await sync.status()).toMatchObject({ waiting: 4, dropped: { removed: 1, full: 1 } });
  world.service.always = (store) => store();
  await world.pass(30_000);
  expect(await record(visited("3", { kind: "reload", text: "diary" }))).toBe("c-3");
  expect(received(world).at(-1)).toBe("page c-3 diary");
});

test("forgets a visit when it cannot be told whether it is to be removed", async () => {
  const { world, record } = visitedWorld();
  const { sync } = world.start();
  await record(visited("1", { text: "one" }));
  const fails = () => {
    throw new Error("No such field.");
  };
  await sync.remove(fails);
  expect(await record(visited("2", { kind: "reload", text: "one" }))).toBe("c-2");
});

test("a tab switch views no earlier page once what its tab shows was forgotten", async () => {
  const { world, record } = visitedWorld();
  const { sync } = world.start();
  await record(visited("1", { text: "one" }));
  await record(visited("2", { text: "two", url: `${site}/secret` }));
  await sync.remove(({ type, payload }) => type === "create" && payload.context.url === `${site}/secret`);
  world.browser.activate(7);
  await world.pass(3_500);
  expect(received(world)).toEqual(["page c-1 one", "page c-2 two"]);
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
