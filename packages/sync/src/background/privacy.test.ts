import "fake-indexeddb/auto";
import { openDB } from "idb";
import { expect, test } from "vitest";
import { BackgroundWorld, capture, handIn } from "../../test/background-world.js";
import { turns } from "../../test/scenarios/scenario.js";
import { privacyFilter, idbStore } from "../core/index.js";
import { answers } from "../../test/testing/index.js";

let names = 0;
const password = "correct-horse-7-battery";
const card = "4111 1111 1111 1111";

/** Everything that is in a database, as text. */
async function databaseText(name: string): Promise<string> {
  const db = await openDB(name);
  const tables = await Promise.all([...db.objectStoreNames].map((table) => db.getAll(table)));
  db.close();
  return JSON.stringify(tables);
}

test("F24: what must not be kept reaches neither database nor service", async () => {
  const name = `privacy-${(names += 1)}`;
  const world = new BackgroundWorld(idbStore({ name }));
  let sent = "";
  world.start({
    filter: privacyFilter({ blockedSites: ["bank.example"] }),
    fetch: async (url, init) => {
      sent += init.body as string;
      return await world.service.fetch(url, init);
    },
  });
  const form = JSON.stringify([
    { name: "user", type: "text", value: "ada" },
    { name: "password", type: "password", value: password },
    { name: "cc-number", type: "text", autocomplete: "cc-number", value: card },
  ]);
  const secret = "SECRET-MARK";
  const requests: [object, object?][] = [
    [handIn({ type: "form", content: form, url: `https://articles.example/lamp?token=${secret}` }, "m1")],
    [handIn({ content: `password: ${password}\nCard ${card}` }, "m2")],
    [handIn({ url: "https://my.bank.example/", content: secret }, "m3"), { url: "https://my.bank.example/" }],
    [handIn({ content: secret }, "m4"), { tab: { id: 8, windowId: 2, incognito: true, pinned: false, active: true } }],
    [handIn({ title: secret + "x".repeat(3_000), content: secret }, "m5")],
  ];
  const outcomes = [];
  for (const [request, sender] of requests) outcomes.push(await world.ask(request, sender));
  expect(outcomes).toMatchObject([
    { value: { status: "queued" } },
    { value: { status: "queued" } },
    { value: { status: "blocked", rule: "blocked-site" } },
    { value: { status: "blocked", rule: "private-window" } },
    { value: { status: "dropped", reason: "too-large" } },
  ]);
  // And the navigation of a private window.
  world.browser.tabs.set(8, { id: 8, windowId: 2, incognito: true, pinned: false, active: true, title: secret });
  world.browser.navigate("onCommitted", { tabId: 8, url: `https://articles.example/${secret}` });
  await world.pass(500);
  expect(JSON.stringify([...world.browser.session])).not.toContain(secret);
  await world.pass(1_000);
  const kept = await databaseText(name);
  await world.pass(3_000);
  // And the report of what was dropped, which names none of it.
  expect([...world.service.stored.values()].map(({ id, type }) => (type === "error" ? type : id))).toEqual(["m1", "m2", "error"]);
  expect(kept).toContain("articles.example");
  for (const text of [kept, sent, await databaseText(name)]) {
    for (const value of [password, card, secret, "key of ada"]) expect(text).not.toContain(value);
  }
});

test("F24: blocks everything while rules throw, are missing or damaged", async () => {
  const world = new BackgroundWorld();
  const broken: Parameters<typeof world.start>[0][] = [
    {
      filter: () => {
        throw new Error("of a rule");
      },
    },
    { filter: privacyFilter(() => Promise.reject(new Error("of the storage"))) },
    { filter: privacyFilter(() => ({ blockedSites: ["no site"] })) },
    { filter: privacyFilter(() => ({ denyList: 7 as never })) },
    { filter: privacyFilter(async () => ({ siteRules: [{ site: "x y", level: "filtered" }] })) },
  ];
  for (const options of broken) {
    const { kill } = world.start(options);
    expect(await world.ask(handIn())).toMatchObject({ value: { status: "blocked", rule: "filter:failed" } });
    kill();
  }
  expect(await world.waiting()).toBe(0);
});

test("F24: a worker of private windows takes and sends nothing", async () => {
  const world = new BackgroundWorld();
  world.start({ apis: { ...world.browser.start(), extension: { inIncognitoContext: true } } });
  expect(await world.ask(handIn())).toMatchObject({ value: { status: "blocked", rule: "private-window" } });
  world.browser.navigate("onCommitted", { tabId: 7, url: "https://articles.example/" });
  await world.pass(5_000);
  expect(world.service.received).toEqual([]);
});

test("a user's rules hold from the next message on", async () => {
  const world = new BackgroundWorld();
  let policy: Parameters<typeof privacyFilter>[0] = {};
  world.start({ filter: privacyFilter(async () => policy as object) });
  expect(await world.ask(handIn())).toMatchObject({ value: { status: "queued" } });
  policy = { siteRules: [{ site: "articles.example", level: "restricted" }] };
  expect(await world.ask(handIn({}, "m2"))).toMatchObject({ value: { status: "queued" } });
  policy = { blockedSites: ["articles.example/lamp"] };
  expect(await world.ask(handIn({}, "m3"))).toMatchObject({ value: { status: "blocked", rule: "blocked-site" } });
  await world.pass(3_000);
  expect(world.stored().flatMap(({ payload }) => payload.context?.content ?? [])).toEqual(["The keeper lights the lamp.", ""]);
});

test("content that the filter makes longer than 1 MiB is cut between words, and says so; JSON of a form is not", async () => {
  const world = new BackgroundWorld();
  world.start({ filter: privacyFilter() });
  const bytesMax = 1_048_576;
  const lampsBeside = (rest: string) => "lamp ".repeat(Math.floor((bytesMax - rest.length) / 5));
  const end = "to a@b.io to a@b.io";
  const fields = (text: string) =>
    JSON.stringify([
      { name: "q", type: "text", filled: true, value: text },
      { name: "mail", type: "email", filled: true, value: "a@b.io" },
    ]);
  await world.ask(handIn({ content: lampsBeside(end) + end, contextId: "page", privacyLevel: "filtered" }, "m1"));
  await world.ask(handIn({ content: fields(lampsBeside(fields(""))), contextId: "form", type: "form" }, "m2"));
  await world.pass(8_000);
  const [page, form] = world.stored().map(({ payload }) => payload.context);
  expect(page).toMatchObject({ privacyLevel: "filtered", metadata: { truncated: true } });
  expect(page?.content.slice(-29)).toBe("lamp lamp to [REDACTED:email]");
  expect(page?.content.length).toBeGreaterThan(bytesMax - 64);
  expect(form?.content.length).toBeGreaterThan(bytesMax);
  expect(JSON.parse(form?.content ?? "")).toHaveLength(2);
});

test("a policy that cannot work is refused at once", () => {
  expect(() => privacyFilter({ siteRules: [{ site: "x y", level: "filtered" }] })).toThrow(RangeError);
  expect(() => privacyFilter({ blockedSites: ["no site"] })).toThrow('"no site" is no site.');
});

test("removes waiting messages and dead letters of a site", async () => {
  const world = new BackgroundWorld();
  world.service.judge = ({ id }) => (id === "dead" ? { code: "validation_error", retryable: false } : undefined);
  const { sync } = world.start();
  await world.ask(handIn({}, "dead"));
  await world.pass(3_000);
  world.service.always = () => answers(503, {});
  await world.ask(handIn({}, "m1"));
  await world.ask(handIn({ url: "https://other.example/" }, "m2"), { url: "https://other.example/" });
  expect(await sync.status()).toMatchObject({ waiting: 2, deadLetters: 1 });
  expect(await sync.remove((message) => JSON.stringify(message).includes("articles.example"))).toBe(2);
  expect(await sync.status()).toMatchObject({ waiting: 1, deadLetters: 0, dropped: { removed: 2 } });
  expect(await sync.remove(() => true)).toBe(1);
  expect([await world.waiting(), world.browser.alarms.size]).toEqual([0, 0]);
});

test("a preview says what would be sent and what was removed, and keeps nothing", async () => {
  const world = new BackgroundWorld();
  const { sync } = world.start({ filter: privacyFilter({ blockedSites: ["bank.example"] }) });
  const content = `Write to ada@example.org, password: ${password}`;
  const explained = await world.ask<object>({ kind: "explain", capture: capture({ content, privacyLevel: "filtered" }) });
  expect(explained).toMatchObject({
    ok: true,
    value: { keep: true, level: "filtered", redactions: { email: 1 }, message: { payload: { context: { tabId: "7" } } } },
  });
  expect(JSON.stringify(explained)).not.toContain(password);
  const bank = { url: "https://bank.example/" };
  expect(await world.ask({ kind: "explain", capture: capture(bank) }, bank)).toMatchObject({
    value: { keep: false, rule: "blocked-site" },
  });
  const tab = { id: 8, windowId: 2, incognito: true, pinned: false, active: true };
  expect(await world.ask({ kind: "explain", capture: capture() }, { tab })).toMatchObject({ value: { rule: "private-window" } });
  expect(
    await world.ask(
      { kind: "explain", capture: capture({ url: "chrome://settings/" }) },
      { url: "chrome://settings/", origin: "chrome://settings" },
    ),
  ).toMatchObject({ ok: false });
  await turns();
  expect([await world.waiting(), (await sync.status()).dropped]).toEqual([0, {}]);
});
