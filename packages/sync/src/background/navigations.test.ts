import { expect, test } from "vitest";
import { BackgroundWorld } from "../../test/background-world.js";
import { turns } from "../../test/scenarios/scenario.js";

const site = "https://app.example";

test("F23: a burst of pushState and replaceState makes one message of each address that a page settled at", async () => {
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
  // Content scripts are told of those that they would not see.
  expect(world.browser.sentToTabs.map(({ message }) => message)).toEqual(
    [5, 6, 7, 8].map((step) => ({ periscope: 1, kind: "settled", url: `${site}/${step}` })),
  );
});

test("F23: redirects, frames, places in a page, prerendered pages and those of the browser make none", async () => {
  const world = new BackgroundWorld();
  world.start();
  const to = (event: Parameters<typeof world.browser.navigate>[0], url: string, more: object = {}) =>
    world.browser.navigate(event, { tabId: 7, url, ...more });
  to("onCommitted", `${site}/login`, { documentId: "d1" });
  to("onCommitted", `${site}/home`, { documentId: "d2", transitionType: "link" });
  to("onCommitted", "https://ads.example/", { documentId: "d3", frameId: 4, frameType: "sub_frame" });
  to("onHistoryStateUpdated", "https://ads.example/2", { documentId: "d3", frameId: 4, frameType: "sub_frame" });
  await world.pass(1_500);
  to("onReferenceFragmentUpdated", `${site}/home#part-2`, { documentId: "d2" });
  to("onCommitted", `${site}/soon`, { documentId: "d4", documentLifecycle: "prerender" });
  to("onCommitted", "chrome://settings/", { documentId: "d5" });
  await world.pass(5_000);
  expect(world.visited()).toEqual([`${site}/home`]);
  to("onReferenceFragmentUpdated", `${site}/home#/inbox`, { documentId: "d2" });
  await world.pass(5_000);
  expect(world.visited()).toEqual([`${site}/home`, `${site}/home#/inbox`]);
  // The same address in a new document is another visit.
  to("onCommitted", `${site}/home#/inbox`, { documentId: "d6" });
  await world.pass(5_000);
  expect(world.visited()).toHaveLength(3);
});

test("F23: a worker that dies before an address settled takes it up again, and one that dies after does not", async () => {
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

test("a page that is closed, or whose worker is about to end, is not waited for", async () => {
  const world = new BackgroundWorld();
  world.start();
  world.browser.navigate("onCommitted", { tabId: 7, url: `${site}/short` });
  await turns();
  world.browser.closeTab(7);
  await turns();
  expect(await world.waiting()).toBe(1);
  world.browser.tabs.set(8, { id: 8, windowId: 1, incognito: false, pinned: false, active: true });
  world.browser.navigate("onCommitted", { tabId: 8, url: `${site}/last`, documentId: "d8" });
  await turns();
  world.browser.tell("onSuspend");
  await turns();
  expect(await world.waiting()).toBe(2);
});

test("an address that the tab has left when it would settle is none, and a title is only of a page whose address is known", async () => {
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
  world.browser.navigate("onCommitted", { tabId: 7, url: `${site}/keeper`, documentId: "d2" });
  world.browser.tabs.set(7, { ...tab, url: `${site}/keeper#lamp`, title: "The keeper" });
  await world.pass(5_000);
  world.browser.navigate("onCommitted", { tabId: 7, url: `${site}/other`, documentId: "d3" });
  world.browser.tabs.set(7, { ...tab, title: "Account 4111" });
  await world.pass(5_000);
  expect(world.visited()).toEqual([`${site}/keeper`, `${site}/other`]);
  const titles = world.stored().map((message) => (message.type === "create" ? message.payload.context?.title : undefined));
  expect(titles).toEqual(["The keeper", ""]);
});

test("without document ids, as in Firefox, a document begins where it was committed", async () => {
  const world = new BackgroundWorld();
  world.start();
  const documentId = undefined;
  world.browser.navigate("onCommitted", { tabId: 7, url: `${site}/`, documentId });
  await world.pass(1_500);
  world.browser.navigate("onHistoryStateUpdated", { tabId: 7, url: `${site}/`, documentId });
  await world.pass(1_500);
  world.browser.navigate("onCommitted", { tabId: 7, url: `${site}/`, documentId });
  await world.pass(5_000);
  expect(world.visited()).toEqual([`${site}/`, `${site}/`]);
});

test("none are made where they are not wanted, and without the permission", async () => {
  const world = new BackgroundWorld();
  const { webNavigation: _, storage: _session, ...apis } = world.browser.start();
  const { kill } = world.start({ apis });
  kill();
  world.start({ navigations: false });
  world.browser.navigate("onCommitted", { tabId: 7, url: `${site}/` });
  await world.pass(35_000);
  expect(world.visited()).toEqual([]);
});
