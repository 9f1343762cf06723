import { expect, test } from "vitest";
import { BackgroundWorld } from "../../test/background-world.js";
import type { MessageFilter } from "../core/message.js";
import { refuses } from "../../test/testing/index.js";
import { turns } from "../../test/scenarios/scenario.js";
import { received, site, updates, viewed, visited, visitedWorld } from "../../test/visited-world.js";

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

test("text that follows a request that is repeated after its message arrived is stored", async () => {
  const { world, record } = visitedWorld();
  const announced = visited("1");
  await record(announced);
  await world.ask(announced);
  await record(visited("2", { of: "c-1", text: "one" }));
  expect(received(world)).toEqual(["navigation c-1", "page c-1 one"]);
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

test("reads no answer to a form, also when it is reloaded", async () => {
  const world = new BackgroundWorld();
  world.start({ readPage: async () => ({ content: "One lamp.", contentFormat: "text" }) });
  for (const transitionType of ["form_submit", "reload"]) {
    world.browser.navigate("onCommitted", { tabId: 7, url: `${site}/receipt.pdf`, transitionType });
    await world.pass(8_000);
  }
  expect(received(world)).toEqual([expect.stringMatching(/^navigation /), expect.stringMatching(/^heartbeat /)]);
});

test("text that was read is cut at 1 MiB, between words, and says so", async () => {
  const world = new BackgroundWorld();
  world.start({ readPage: async () => ({ content: `${"lamp ".repeat(209_714)}4111 1111 1111 1111`, contentFormat: "text" }) });
  world.browser.navigate("onCommitted", { tabId: 7, url: `${site}/lamps.pdf` });
  await world.pass(8_000);
  const context = world.stored().at(-1)?.payload.context;
  expect(context).toMatchObject({ type: "page", metadata: { truncated: true } });
  expect(context?.content).toBe("lamp ".repeat(209_714).trimEnd());
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

test.each<[string, MessageFilter]>([
  ["kept out", noNavigations],
  [
    "too large to be kept",
    (message) => {
      if (message.type !== "create" || message.payload.context.metadata?.["transition"] !== "form_submit") return { keep: true, message };
      const { context } = message.payload;
      return { keep: true, message: { ...message, payload: { context: { ...context, title: "lamp".repeat(2_000_000) } } } };
    },
  ],
])("reads no answer to a form whose visit was %s, however often it is reloaded", async (_, filter) => {
  const world = new BackgroundWorld();
  const read: string[] = [];
  world.start({ filter, readPage: async ({ url }) => (read.push(url), undefined) });
  for (const transitionType of ["form_submit", ...Array.from({ length: 21 }, () => "reload")]) {
    world.browser.navigate("onCommitted", { tabId: 7, url: `${site}/receipt.pdf`, transitionType });
    await world.pass(2_000);
  }
  expect(read).toEqual([]);
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
  expect(updates(world)).toEqual([]);
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
