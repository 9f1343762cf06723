import { expect, test } from "vitest";
import { BackgroundWorld } from "../../test/background-world.js";
import { turns } from "../../test/scenarios/scenario.js";

// Visits as the browser tells of them, of pages without a content script.

const site = "https://app.example";

test("F23: records each address once that a tab settles at", async () => {
  const world = new BackgroundWorld();
  world.start();
  world.browser.navigate("onCommitted", { tabId: 7, url: `${site}/`, transitionType: "typed" });
  await world.pass(1_500);
  // Five addresses in a moment: the last one is where the page is.
  for (let step = 1; step <= 5; step += 1) {
    for (let repeat = 0; repeat < 2; repeat += 1) {
      world.browser.navigate("onHistoryStateUpdated", { tabId: 7, url: `${site}/${step}` });
      await world.pass(50);
    }
  }
  await world.pass(1_500);
  // One after the other, each repeated as pages do while they scroll.
  for (let step = 6; step <= 8; step += 1) {
    for (let repeat = 0; repeat < 4; repeat += 1) {
      world.browser.navigate("onHistoryStateUpdated", { tabId: 7, url: `${site}/${step}` });
      await world.pass(500);
    }
  }
  await world.pass(6_000);
  expect(world.visited()).toEqual([`${site}/`, `${site}/5`, `${site}/6`, `${site}/7`, `${site}/8`]);
  expect(world.stored()[0]).toMatchObject({
    payload: { context: { tabId: "7", title: "Lighthouses", metadata: { transition: "typed" } } },
  });
});

test("F23: records no redirects, frames, anchors or prerendered pages", async () => {
  const world = new BackgroundWorld();
  world.start();
  const to = (event: Parameters<typeof world.browser.navigate>[0], url: string, more: object = {}) =>
    world.browser.navigate(event, { tabId: 7, url, ...more });
  to("onCommitted", `${site}/login`);
  to("onCommitted", `${site}/home`, { transitionType: "link" });
  to("onCommitted", "https://ads.example/", { frameId: 4, frameType: "sub_frame" });
  to("onHistoryStateUpdated", "https://ads.example/2", { frameId: 4, frameType: "sub_frame" });
  await world.pass(1_500);
  to("onReferenceFragmentUpdated", `${site}/home#part-2`);
  to("onCommitted", `${site}/soon`, { documentLifecycle: "prerender" });
  to("onCommitted", "chrome://settings/");
  await world.pass(5_000);
  expect(world.visited()).toEqual([`${site}/home`]);
  to("onReferenceFragmentUpdated", `${site}/home#/inbox`);
  await world.pass(5_000);
  expect(world.visited()).toEqual([`${site}/home`, `${site}/home#/inbox`]);
  // The same address in a new document is another visit.
  to("onCommitted", `${site}/home#/inbox`);
  await world.pass(5_000);
  expect(world.visited()).toHaveLength(3);
});

test.each([
  [true, []],
  [false, [`${site}/`]],
])("F23: records no address that its tab shows no more, if the browser would tell that: %s", async (hasAccess, visited) => {
  const world = new BackgroundWorld();
  world.start({ apis: { ...world.browser.start(), permissions: { contains: async () => hasAccess } } });
  world.browser.navigate("onCommitted", { tabId: 7, url: `${site}/` });
  await world.pass(500);
  world.browser.tabs.set(7, { ...world.browser.tabs.get(7)!, url: undefined });
  await world.pass(5_000);
  expect(world.visited()).toEqual(visited);
  // A tab that is closed has shown its page to the end.
  world.browser.navigate("onCommitted", { tabId: 7, url: `${site}/last` });
  await world.pass(500);
  world.browser.closeTab(7);
  await world.pass(5_000);
  expect(world.visited()).toEqual([...visited, `${site}/last`]);
});

test("F23: records an address once when the worker dies before or after", async () => {
  const world = new BackgroundWorld();
  const first = world.start();
  world.browser.navigate("onCommitted", { tabId: 7, url: `${site}/` });
  await turns();
  first.kill();
  const second = world.start();
  await world.pass(5_000);
  expect(world.visited()).toEqual([`${site}/`]);
  second.kill();
  world.start();
  world.browser.navigate("onHistoryStateUpdated", { tabId: 7, url: `${site}/` });
  await world.pass(35_000);
  expect(world.visited()).toEqual([`${site}/`]);
});

test("remembers nothing of an address that is not wanted", async () => {
  const world = new BackgroundWorld();
  const { session } = world.browser.start().storage ?? {};
  world.start({ isWanted: async (url) => !url.includes("diary") });
  world.browser.navigate("onCommitted", { tabId: 7, url: "https://diary.example/" });
  await turns();
  expect(JSON.stringify(await session?.get("periscope-sync"))).not.toContain("diary");
  await world.pass(5_000);
  world.browser.navigate("onCommitted", { tabId: 7, url: `${site}/` });
  await world.pass(5_000);
  expect(world.visited()).toEqual([`${site}/`]);
});

test("records a page that is closed before it settled", async () => {
  const world = new BackgroundWorld();
  world.start();
  world.browser.navigate("onCommitted", { tabId: 7, url: `${site}/short` });
  await turns();
  world.browser.closeTab(7);
  await turns();
  expect(await world.waiting()).toBe(1);
});

test("records neither an address that was left nor the title of another page", async () => {
  const world = new BackgroundWorld();
  world.start();
  const tab = { id: 7, windowId: 1, incognito: false, pinned: false, active: true };
  world.browser.navigate("onCommitted", { tabId: 7, url: "https://t.example/go" });
  await turns();
  // The event of the other page is still on its way.
  world.browser.tabs.set(7, { ...tab, url: "https://bank.example/accounts", title: "Account 4111" });
  await world.pass(5_000);
  expect(world.visited()).toEqual([]);
  // Of a place in the page it is the title as well.
  world.browser.navigate("onCommitted", { tabId: 7, url: `${site}/keeper` });
  world.browser.tabs.set(7, { ...tab, url: `${site}/keeper#lamp`, title: "The keeper" });
  await world.pass(5_000);
  world.browser.navigate("onCommitted", { tabId: 7, url: `${site}/other` });
  world.browser.tabs.set(7, { ...tab, title: "Account 4111" });
  await world.pass(5_000);
  expect(world.visited()).toEqual([`${site}/keeper`, `${site}/other`]);
  const titles = world.stored().map((message) => (message.type === "create" ? message.payload.context?.title : undefined));
  expect(titles).toEqual(["The keeper", ""]);
});

test("records an address again when it is loaded again", async () => {
  const world = new BackgroundWorld();
  world.start();
  world.browser.navigate("onCommitted", { tabId: 7, url: `${site}/` });
  await world.pass(1_500);
  world.browser.navigate("onHistoryStateUpdated", { tabId: 7, url: `${site}/` });
  await world.pass(1_500);
  world.browser.navigate("onCommitted", { tabId: 7, url: `${site}/` });
  await world.pass(5_000);
  expect(world.visited()).toEqual([`${site}/`, `${site}/`]);
});

test("records no address without the permission for navigations", async () => {
  const world = new BackgroundWorld();
  const { webNavigation: _, storage: _session, ...apis } = world.browser.start();
  world.start({ apis });
  world.browser.navigate("onCommitted", { tabId: 7, url: `${site}/` });
  await world.pass(35_000);
  expect(world.visited()).toEqual([]);
});
