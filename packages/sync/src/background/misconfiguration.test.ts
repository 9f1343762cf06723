import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { BackgroundWorld, handIn } from "../../test/background-world.js";
import { answers, cuts, type Fault, portal, refuses } from "../../test/testing/index.js";
import { connectContextSync, type ContextSyncOptions, type ExtensionApis } from "./index.js";

type Contains = NonNullable<ExtensionApis["permissions"]>["contains"];

/** Access as a manifest gives it that names hosts. */
const granted =
  (...patterns: string[]): Contains =>
  async ({ origins }) =>
    origins.every((origin) => patterns.includes(origin));

/** Firefox has no ports in patterns. */
const refusesPorts =
  (contains: Contains): Contains =>
  async (asked) => {
    if (asked.origins.some((origin) => /:\d/.test(origin))) throw new Error("Invalid url pattern");
    return await contains(asked);
  };

const said = { info: [] as string[], warn: [] as string[] };
beforeEach(() => {
  said.info = [];
  said.warn = [];
  vi.spyOn(console, "info").mockImplementation((words: string) => void said.info.push(words));
  vi.spyOn(console, "warn").mockImplementation((words: string) => void said.warn.push(words));
});
afterEach(() => vi.restoreAllMocks());

test.each<[string, Contains | undefined, RegExp]>([
  [
    "with access",
    granted("http://periscope.test:3000/*"),
    /^The service cannot be reached at http:\/\/periscope\.test:3000\. Is it running/,
  ],
  ["without access", granted("https://else.example/*"), /no access to .*:3000\. Add "http:\/\/periscope\.test\/\*" to `host_permissions`/],
  ["in Firefox, with access", refusesPorts(granted("http://periscope.test/*")), /cannot be reached at .* Is it running/],
  ["in Firefox, without access", refusesPorts(granted()), /no access to .* Add "http:\/\/periscope\.test\/\*"/],
  ["where nobody can tell", undefined, /cannot be reached at .* Is it running, and is its address right\?$/],
  ["where the browser fails to tell", () => Promise.reject(new Error("no")), /cannot be reached at .* Is it running/],
  ["where the browser never tells", () => new Promise(() => {}), /cannot be reached at .* Is it running/],
])("says what may be the cause when no answer comes, %s", async (_, contains, words) => {
  const world = new BackgroundWorld();
  world.service.always = cuts;
  const apis = { ...world.browser.start(), ...(contains !== undefined && { permissions: { contains } }) };
  const { sync } = world.start({ apis, baseUrl: "http://periscope.test:3000/api/v1" });
  await sync.enqueue({ type: "heartbeat" });
  await world.pass(6_000);
  expect(await sync.status()).toMatchObject({ reason: "backing-off", lastError: expect.stringMatching(words) });
});

test.each<[string, Fault, RegExp]>([
  ["a wrong key", refuses(401, "unauthorized"), /key was refused \(401 unauthorized\)\. Give another one in `apiKey`/],
  ["a key that may not write", refuses(403, "forbidden"), /Give one with the scope "write" in `apiKey`/],
  ["a wrong base address", refuses(404, "not_found"), /answered 404 not_found\. Is its address that of Periscope\?/],
  ["another program at the address", portal, /Something other than Periscope answered\. Is the address right/],
  ["no server", cuts, /cannot be reached at http:\/\/periscope\.test\. Is it running, and is its address right\?/],
])("warns once in the console of %s, and again only after it was mended", async (_, fault, words) => {
  const world = new BackgroundWorld();
  world.service.always = fault;
  const { sync } = world.start();
  await world.ask(handIn({ content: "diary" }));
  for (let round = 0; round < 5; round += 1) await world.pass(400_000);
  expect(said.warn).toEqual([expect.stringMatching(words)]);
  expect(said.warn.join()).not.toMatch(/key of ada|diary/);
  world.service.always = (store) => store();
  await sync.resume();
  await world.pass(400_000);
  expect(world.stored().length).toBeGreaterThan(0);
  world.service.always = fault;
  await sync.enqueue({ type: "heartbeat" });
  await world.pass(10_000);
  expect(said.warn).toHaveLength(2);
  expect(said.info).toEqual([]);
});

test("warns again in a worker that starts while a refused key is not tried", async () => {
  const world = new BackgroundWorld();
  world.service.always = refuses(401, "unauthorized");
  const { kill } = world.start();
  await world.ask(handIn());
  await world.pass(3_000);
  kill();
  world.start();
  await world.pass(60_000);
  expect([said.warn.length, world.service.received.length]).toEqual([2, 1]);
});

test.each<[string, Partial<ContextSyncOptions>, RegExp]>([
  ["an address", { baseUrl: () => null }, /^No server: give its address in `baseUrl`/],
  ["a key", { apiKey: () => undefined }, /^No key: give one in `apiKey`/],
])("keeps messages until there is %s, without a warning", async (_, missing, words) => {
  const world = new BackgroundWorld();
  const { kill, sync } = world.start(missing);
  await world.ask(handIn());
  await world.pass(60_000);
  expect(await sync.status()).toMatchObject({ waiting: 1, reason: "auth", lastError: expect.stringMatching(words) });
  expect([world.service.received, said.warn]).toEqual([[], []]);
  kill();
  world.start();
  await world.pass(30_000);
  expect(world.stored()).toHaveLength(1);
});

test("accepts a base URL with and without /api/v1, as value or function", async () => {
  for (const baseUrl of ["http://periscope.test", "http://periscope.test/api/v1/", async () => "http://periscope.test/"]) {
    const world = new BackgroundWorld();
    const urls: string[] = [];
    world.start({ baseUrl, account: "me", fetch: async (url, init) => (urls.push(url), await world.service.fetch(url, init)) });
    await world.ask(handIn());
    await world.pass(3_000);
    expect(urls).toEqual(["http://periscope.test/api/v1/context/batch-sync"]);
  }
});

test("a key is not sent to a server that was set while the key was asked for", async () => {
  const world = new BackgroundWorld();
  let server = "http://old.test";
  const seen: string[] = [];
  world.start({
    baseUrl: () => server,
    apiKey: () => {
      const key = `key of ${server}`;
      server = "http://new.test";
      return key;
    },
    fetch: async (url, init) => {
      seen.push(`${new URL(url).origin} ${new Headers(init.headers).get("Authorization")}`);
      return await world.service.fetch(url, init);
    },
  });
  await world.ask(handIn());
  await world.pass(40_000);
  expect(seen).toEqual(["http://new.test Bearer key of http://new.test"]);
});

test("logs each step with `debug`, without content and keys", async () => {
  const world = new BackgroundWorld();
  world.service.judge = ({ id }) => (id === "m2" ? { code: "validation_error", retryable: false } : undefined);
  const { sync } = world.start({ debug: true });
  await world.ask(handIn({ content: "Dear diary" }));
  await world.ask(handIn({ content: "Dear diary" }, "m2"));
  await sync.flush();
  world.service.always = refuses(503, "unavailable");
  await sync.enqueue({ type: "heartbeat", id: "h1" });
  await sync.flush();
  await sync.remove(() => true);
  const log = said.info.join("\n");
  for (const step of [
    /queued create m1 \(page, \d+ bytes\)/,
    /batch \{"sent":2,"synced":1,"duplicates":0,"failed":1,"ms":\d+\}/,
    /message m1 stored/,
    /message m2 refused: validation_error/,
    /blocked \{"until":\d+,.*"error":"The service answered 503 unavailable\."\}/,
    /removed 2 messages/,
  ])
    expect(log).toMatch(step);
  expect(log).not.toMatch(/diary|key of ada|articles\.example/);
});

test("check asks the service whose key it is, also for a page of the extension", async () => {
  const world = new BackgroundWorld();
  world.start();
  const { check } = connectContextSync(world.browser.pages);
  expect(await check()).toEqual({ isConnected: true, userId: "ada", scopes: ["write"] });
  const refusals: [() => Response, string, RegExp][] = [
    [() => answers(200, { userId: "ada", scopes: ["read"] }), "key-refused", /scope "write"/],
    [() => answers(401, { error: "unauthorized", message: "No." }), "key-refused", /`apiKey`/],
    [() => answers(404, { error: "not_found", message: "No." }), "wrong-server", /Is its address that of Periscope/],
    [() => new Response("<title>Welcome</title>"), "wrong-server", /Something other/],
    [() => answers(503, {}), "service", /503/],
  ];
  for (const [answer, code, words] of refusals) {
    world.service.key = answer;
    expect(await check()).toEqual({ isConnected: false, code, error: expect.stringMatching(words) });
  }
});
