import { expect, test } from "vitest";
import { BackgroundWorld, capture, handIn } from "../../test/background-world.js";
import { turns } from "../../test/scenarios/scenario.js";
import type { NewMessage } from "../core/index.js";
import type { ContextSync, ContextSyncOptions } from "./index.js";

const server = "http://127.0.0.1:3000";
const heartbeat = { kind: "heartbeat", id: "h1", timestamp: "2026-01-31T12:00:00Z", contextId: "c1" };

/** What becomes of a page that a content script hands in. */
async function recorded(world: BackgroundWorld, url: string): Promise<unknown> {
  const answer = await world.ask<{ status: string; rule?: string }>(handIn({ url }, url), { url });
  return answer?.ok === true ? (answer.value.rule ?? answer.value.status) : answer;
}

test.each<[string, ContextSyncOptions["baseUrl"]]>([
  ["a value", `${server}/api/v1`],
  ["behind a path", `${server}/periscope`],
  ["a function", async () => server],
  ["a function that is given the account", (account) => (account === "ada" ? server : "http://127.0.0.1:4000")],
  ["another name of this machine", "http://localhost:3000"],
  ["its IPv6 address", "http://[::1]:3000"],
])("blocks pages of its own server, records those of other ports: %s", async (_, baseUrl) => {
  const world = new BackgroundWorld();
  const { events } = world.start({ baseUrl });
  for (const url of [`${server}/`, "http://127.0.0.1:3000/explore?query=lamp", "http://localhost:3000/", "http://[::1]:3000/"])
    expect(await recorded(world, url)).toBe("own-server");
  for (const url of ["http://127.0.0.1:4000/", "http://127.0.0.1/", "https://127.0.0.1:3000/", "http://localhost:4000/"])
    expect(await recorded(world, url)).toBe("queued");
  expect(events).toContainEqual({ type: "filtered", rule: "own-server" });
});

const pageOf = (url: string, withAddress: boolean): NewMessage => ({
  type: "create",
  payload: {
    context: {
      type: "page",
      tabId: "7",
      capturedAt: "2026-01-31T12:00:00Z",
      content: "A lamp.",
      ...(withAddress && { url }),
      tabMetadata: { id: "7", url, title: "Now" },
    },
  },
});

test.each([true, false])("blocks pages of its own server that a program enqueues, with an address: %s", async (withAddress) => {
  const world = new BackgroundWorld();
  const { sync } = world.start({ baseUrl: server });
  const blocked = { rule: "own-server" };
  const message = pageOf(`${server}/explore`, withAddress);
  expect([await sync.enqueue(message), await sync.explain(message)]).toMatchObject([blocked, blocked]);
  expect(await sync.enqueue({ type: "update", payload: { context: { id: "c1", url: `${server}/explore` } } })).toMatchObject(blocked);
  expect(await sync.enqueue({ type: "create", payload: {} } as never)).toEqual({ status: "blocked", rule: "filter:failed" });
  expect(await sync.enqueue(pageOf("http://127.0.0.1:4000/", withAddress))).toMatchObject({ status: "queued" });
});

test.each<[string, object, (sync: ContextSync) => Promise<unknown>]>([
  ["a capture, and a site", handIn(), (sync) => sync.remove(() => true)],
  ["a capture, and an account", handIn(), (sync) => sync.removeAccount("ada")],
  ["a visit, and a site", handIn({ visit: "navigate" }), (sync) => sync.remove(() => true)],
  ["a heartbeat, and an account", heartbeat, (sync) => sync.removeAccount("ada")],
])("a removal leaves nothing that waits for the address of the server: %s", async (_, request, remove) => {
  const world = new BackgroundWorld();
  const { promise: address, resolve: give } = Promise.withResolvers<string>();
  const { sync } = world.start({ baseUrl: () => address });
  await turns();
  const taken = world.browser.fromPage({ periscope: 1, ...request });
  await turns();
  const removed = remove(sync);
  await turns();
  give(server);
  expect(await taken).toMatchObject({ value: { status: "queued" } });
  await removed;
  expect(await world.waiting()).toBe(0);
});

test.each<[string, ContextSyncOptions["baseUrl"]]>([
  ["fails", () => Promise.reject(new Error("no"))],
  ["is no address", () => "127.0.0.1:3000"],
])("keeps all pages and sends none while `baseUrl` %s", async (_, baseUrl) => {
  const world = new BackgroundWorld();
  world.start({ baseUrl });
  expect(await recorded(world, `${server}/`)).toBe("queued");
  await world.pass(10_000);
  expect([await world.waiting(), world.service.received]).toEqual([1, []]);
});

test("keeps nothing of its own server: no visit, view, PDF, preview or report", async () => {
  const world = new BackgroundWorld();
  const read: string[] = [];
  const { sync } = world.start({
    baseUrl: server,
    async readPage({ url }) {
      read.push(url);
      return { content: "A lamp.", contentFormat: "text" };
    },
  });
  const url = `${server}/lamps.pdf`;
  world.browser.tabs.set(7, { id: 7, windowId: 1, incognito: false, pinned: false, active: true, url, title: "Now · Periscope" });
  world.browser.navigate("onCommitted", { tabId: 7, url });
  await world.pass(5_000);
  world.browser.activate(7);
  expect(await world.ask(heartbeat, { url })).toMatchObject({
    value: { status: "blocked" },
  });
  expect(await world.ask({ kind: "explain", capture: capture({ url }) }, { url })).toMatchObject({ value: { rule: "own-server" } });
  expect(await recorded(world, url)).toBe("own-server");
  await world.pass(5_000);
  // It is no loss: nothing is counted, and the server is told of no trouble.
  await sync.enqueue({ type: "heartbeat", id: "h2" });
  await world.pass(5_000);
  expect((await sync.status()).dropped).toEqual({});
  expect([read, world.stored().map(({ id }) => id)]).toEqual([[], ["h2"]]);
});

test("records pages of a server that it no longer sends to", async () => {
  const world = new BackgroundWorld();
  let baseUrl: string | null = server;
  world.start({ baseUrl: () => baseUrl });
  expect(await recorded(world, `${server}/`)).toBe("own-server");
  baseUrl = null;
  expect(await recorded(world, `${server}/`)).toBe("queued");
});
