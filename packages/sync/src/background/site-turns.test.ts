import "fake-indexeddb/auto";
import { describe, expect, test } from "vitest";
import { BackgroundWorld, handIn } from "../../test/background-world.js";
import { idbStore, type Settled } from "../core/index.js";
import { memoryStore, refuses } from "../../test/testing/index.js";
import type { ContextSync } from "./index.js";

let captures = 0;

/** Hands in the page of a tab, as its content script does. */
async function captureAt(world: BackgroundWorld, url: string, { tab = 7, content = "The keeper lights the lamp." } = {}) {
  const id = `p${(captures += 1)}`;
  const sender = { url, tab: { ...world.browser.tabs.get(7)!, id: tab, url } };
  const answer = await world.ask(
    handIn({ contextId: id, url, content, capturedAt: new Date(world.clock.now()).toISOString() }, id),
    sender,
  );
  return answer?.ok === true ? answer.value.status : undefined;
}

/** A page that calls `pushState` every 1.2 seconds; each address settles, and is captured. */
async function pushStates(world: BackgroundWorld, site: string, { from, count }: { from: number; count: number }) {
  for (let step = from; step < from + count; step += 1) {
    world.browser.navigate("onHistoryStateUpdated", { tabId: 7, url: `${site}/${step}` });
    await world.pass(1_200);
    await captureAt(world, `${site}/${step}`);
  }
}

const storedOf = (world: BackgroundWorld, part: string) =>
  world.stored().flatMap(({ payload: { context } }) => (context?.url.includes(part) === true ? [`${context.type} ${context.url}`] : []));

/** What waits for a while is sent. */
async function flushAfter(world: BackgroundWorld, sync: ContextSync, ms: number) {
  world.clock.advance(ms);
  await sync.flush();
}

test("limits a page that calls pushState in a loop to 60 contexts a minute", async () => {
  const world = new BackgroundWorld();
  let worker = world.start();
  const site = "https://app.example";
  const counts: number[] = [];
  for (let part = 0; part < 15; part += 1) {
    await pushStates(world, site, { from: part * 10, count: 10 });
    counts.push(storedOf(world, site).length);
    worker.kill();
    worker = world.start();
  }
  // Five parts a minute, in which 100 addresses and pages arrive.
  for (const [part, count] of counts.entries()) expect(count).toBeLessThanOrEqual(60 * Math.ceil((part + 1) / 5));
  await world.pass(120_000);
  expect(storedOf(world, site).slice(-2).toSorted()).toEqual([`navigation ${site}/149`, `page ${site}/149`]);
  expect(await world.waiting()).toBe(0);
});

let stores = 0;

describe.each([
  ["memory", memoryStore],
  ["IndexedDB", () => idbStore({ name: `site-turns-${(stores += 1)}` })],
])("in %s", (_where, newStore) => {
  test("keeps each tab's newest state while its site is limited", async () => {
    const world = new BackgroundWorld(newStore());
    const { sync } = world.start();
    for (let tab = 1; tab <= 60; tab += 1) expect(await captureAt(world, "https://app.example/many", { tab })).toBe("queued");
    expect(await captureAt(world, "https://app.example/1", { tab: 61 })).toBe("queued");
    expect(await captureAt(world, "https://app.example/2", { tab: 61 })).toBe("queued");
    expect(await captureAt(world, "https://app.example/3", { tab: 62 })).toBe("queued");
    expect(await captureAt(world, "https://articles.example/lamp", { tab: 61 })).toBe("queued");
    await sync.flush();
    expect([storedOf(world, "/many").length, storedOf(world, "articles").length, await world.waiting()]).toEqual([60, 1, 2]);
    expect(await sync.status()).toMatchObject({ waiting: 2, reason: "idle", lastError: null, dropped: { full: 1 } });
    await flushAfter(world, sync, 90_000);
    expect(storedOf(world, "app.example").slice(60).toSorted()).toEqual(["page https://app.example/2", "page https://app.example/3"]);
  });

  test("tells which context another one replaced while its site is limited, and records that page anew", async () => {
    const world = new BackgroundWorld(newStore());
    const settled: Settled[] = [];
    const { sync } = world.start({ onSettled: (each) => settled.push(each) });
    for (let tab = 1; tab <= 60; tab += 1) await captureAt(world, "https://app.example/many", { tab });
    await sync.flush();
    settled.length = 0;
    const visit = (id: string, path: string, more: object = {}) => {
      const url = `https://app.example/${path}`;
      const sender = { url, tab: { ...world.browser.tabs.get(7)!, url } };
      return world.ask<{ status: string }>(handIn({ contextId: `c-${id}`, visit: "navigate", url, ...more }, id), sender);
    };
    const kept = [await visit("1", "list"), await visit("2", "list", { contextId: "c-1", content: "The list." }), await visit("3", "item")];
    expect(kept.map((answer) => answer?.ok === true && answer.value.status)).toEqual(["queued", "merged", "queued"]);
    await world.pass(0);
    expect(settled).toEqual([{ id: "2", contextId: "c-1", status: "dropped", reason: "full" }]);
    const back = await visit("4", "list", { visit: "back_forward", content: "The list." });
    expect(back).toMatchObject({ ok: true, value: { status: "queued", contextId: "c-4" } });
    await flushAfter(world, sync, 90_000);
    expect(storedOf(world, "app.example").slice(60)).toEqual(["page https://app.example/list"]);
  });

  test.each([
    ["hosts below one domain", "one site", (host: number) => `https://h${host}.app.example`],
    ["hosts with a final dot", "one site", (host: number) => `https://h${host}.app.example.`],
    ["hosts below a domain under co.uk", "one site", (host: number) => `https://h${host}.app.co.uk`],
    ["domains under co.uk", "many sites", (host: number) => `https://h${host}.co.uk`],
    ["IP addresses", "many sites", (host: number) => `http://10.0.${host}.1`],
  ])("counts %s as %s", async (_, as, hostOf) => {
    const world = new BackgroundWorld(newStore());
    const { sync } = world.start();
    for (let host = 0; host < 70; host += 1) await captureAt(world, `${hostOf(host)}/`, { tab: host });
    await sync.flush();
    expect(world.stored()).toHaveLength(as === "one site" ? 60 : 70);
  });

  test("gives one site a quarter of the queue, and lets its own oldest contexts give way", async () => {
    const world = new BackgroundWorld(newStore());
    world.service.always = refuses(503, "unavailable");
    const bytes = 400_000;
    const { sync, events } = world.start({ limits: { bytes } });
    const content = "x".repeat(9_000);
    for (let page = 0; page < 10; page += 1) await captureAt(world, `https://articles.example/${page}`, { content });
    for (let page = 0; page < 50; page += 1) await captureAt(world, `https://app.example/${page}`, { content });
    const status = await sync.status();
    expect(status.bytes).toBeLessThanOrEqual(bytes / 4 + 10 * 10_000);
    expect(status.waiting).toBeLessThanOrEqual(20);
    const { full = 0 } = status.dropped;
    expect(events.filter(({ type }) => type === "dropped")).toHaveLength(full);
    world.service.always = (store) => store();
    await flushAfter(world, sync, 600_000);
    expect(storedOf(world, "articles")).toHaveLength(10);
    expect(storedOf(world, "app.example")).toEqual(
      Array.from({ length: 50 - full }, (_, page) => `page https://app.example/${page + full}`),
    );
  });

  test("limits one site to a quarter of the messages", async () => {
    const world = new BackgroundWorld(newStore());
    world.service.always = refuses(503, "unavailable");
    const { sync } = world.start({ limits: { items: 12, bytes: 20_000 } });
    for (let page = 0; page < 6; page += 1) await captureAt(world, `https://app.example/${page}`);
    expect(await sync.status()).toMatchObject({ waiting: 3, dropped: { full: 3 } });
    expect(await captureAt(world, "https://articles.example/large", { content: "x".repeat(10_000) })).toBe("queued");
    expect((await sync.status()).waiting).toBe(4);
  });

  test("counts neither what the extension enqueues by itself nor what the filter blocks", async () => {
    const world = new BackgroundWorld(newStore());
    let isBlocked = true;
    const { sync } = world.start({ filter: (message) => (isBlocked ? { keep: false, rule: "no" } : { keep: true, message }) });
    for (let page = 0; page < 70; page += 1) expect(await captureAt(world, `https://app.example/${page}`)).toBe("blocked");
    isBlocked = false;
    const url = "https://app.example/own";
    const tabMetadata = { id: "7", url, title: "" };
    const context = { type: "page" as const, tabId: "7", capturedAt: "2026-01-31T12:00:00Z", tabMetadata, url, content: "Own." };
    for (let page = 0; page < 70; page += 1) await sync.enqueue({ type: "create", payload: { context } });
    expect(await captureAt(world, "https://app.example/page")).toBe("queued");
    await sync.flush();
    expect(storedOf(world, "app.example")).toHaveLength(71);
  });

  test("forgets which sites were counted when messages or an account are removed", async () => {
    const world = new BackgroundWorld(newStore());
    const { sync } = world.start();
    const kept = async () =>
      JSON.stringify(await world.store.read((tx) => tx.all("state")), (_, value: unknown) => (value instanceof Map ? [...value] : value));
    for (const forget of [() => sync.remove(() => false), () => sync.removeAccount("ada")]) {
      await captureAt(world, "https://app.example/page");
      await sync.flush();
      expect(await kept()).toContain("app.example");
      await forget();
      expect(await kept()).not.toContain("app.example");
    }
  });

  test("ignores wrong clocks and damaged records in a site's limit", async () => {
    const world = new BackgroundWorld(newStore());
    const { sync } = world.start();
    for (let tab = 1; tab <= 60; tab += 1) await captureAt(world, "https://app.example/many", { tab });
    await sync.flush();
    world.clock.set(world.clock.now() - 86_400_000);
    expect(await captureAt(world, "https://app.example/later")).toBe("queued");
    await sync.flush();
    expect(world.stored()).toHaveLength(61);
    await world.store.write((tx) => tx.put("state", "damaged", "turns"));
    expect(await captureAt(world, "https://app.example/latest")).toBe("queued");
    await sync.flush();
    expect(world.stored()).toHaveLength(62);
  });
});
