import { expect, test } from "vitest";
import { BackgroundWorld, handIn } from "../../test/background-world.js";
import { turns } from "../../test/scenarios/scenario.js";
import { cuts, refuses } from "../../test/testing/index.js";

test("F27: keeps exactly one alarm while messages wait", async () => {
  const world = new BackgroundWorld();
  world.service.always = refuses(429, "rate_limited", { "Retry-After": "600" });
  let { kill } = world.start();
  await world.pass(1_000);
  expect(world.browser.alarms.size).toBe(0);
  await world.ask(handIn());
  expect([...world.browser.alarms.keys()]).toEqual(["periscope-sync"]);
  const { at } = world.browser.alarms.get("periscope-sync")!;
  for (let start = 0; start < 100; start += 1) {
    kill();
    ({ kill } = world.start());
    // One site alone would have to wait for its turns.
    const url = `https://site${start}.example/`;
    await world.ask(handIn({ contextId: `c${start}`, url }, `n${start}`), { url });
    world.clock.advance(100);
    await turns();
  }
  expect([world.browser.alarmsMade(), world.browser.alarms.get("periscope-sync")!.at]).toEqual([1, at]);
  // What the browser took away is made again by the next start.
  world.browser.alarms.get("periscope-sync")!.cancel();
  world.browser.alarms.clear();
  kill();
  world.start();
  await world.ask(handIn({}, "late"));
  expect([world.browser.alarmsMade(), world.browser.alarms.size]).toEqual([2, 1]);
  world.service.always = (store) => store();
  await world.pass(700_000);
  expect([world.stored().length, await world.waiting(), world.browser.alarms.size]).toEqual([102, 0, 0]);
});

test("F27: sets the alarm before storing, and clears it when nothing waits", async () => {
  const world = new BackgroundWorld();
  const { browser } = world;
  const { kill } = world.start({ killAt: "before-enqueue" });
  expect(await world.ask(handIn())).toBeUndefined();
  expect([await world.waiting(), browser.alarms.size]).toEqual([0, 1]);
  kill();
  // One is taken while another flush finds that nothing waits.
  const { promise: open, resolve: pass } = Promise.withResolvers<void>();
  const next = world.start({ filter: async (message) => (await open, { keep: true, message }) });
  await turns();
  const taken = next.sync.enqueue({ type: "heartbeat" });
  await next.sync.flush();
  expect(browser.alarms.size).toBe(1);
  pass();
  await taken;
  expect([await world.waiting(), browser.alarms.size]).toEqual([1, 1]);
});

test("F28: drains within a minute of a browser start", async () => {
  const world = new BackgroundWorld();
  world.service.always = cuts;
  const first = world.start();
  await world.ask(handIn());
  await world.pass(3_000);
  first.kill();
  world.service.always = (store) => store();
  // The background is started by the browser's start.
  world.start();
  world.browser.tell("onStartup");
  await world.pass(60_000);
  expect(world.stored()).toHaveLength(1);
});

test("F28: the alarm restarts a dead worker, which then sends", async () => {
  const world = new BackgroundWorld();
  world.start({ killAt: "after-enqueue" });
  await world.ask(handIn());
  const { at } = world.browser.alarms.get("periscope-sync")!;
  await world.pass(at - world.clock.now() - 1);
  expect(world.stored()).toEqual([]);
  // The browser starts it for the alarm: the event comes right after the first turn.
  world.start();
  world.clock.advance(1);
  await turns();
  expect(world.stored()).toHaveLength(1);
});

test("F20: clock jumps and sleep cause neither a storm nor longer waits", async () => {
  const world = new BackgroundWorld();
  world.service.always = refuses(503, "unavailable", { "Retry-After": "120" });
  const { sync } = world.start();
  await world.ask(handIn());
  await world.pass(3_000);
  expect(world.service.received).toHaveLength(1);
  world.clock.set(world.clock.now() - 86_400_000);
  await world.pass(115_000);
  expect(world.service.received).toHaveLength(1);
  await world.pass(65_000);
  expect(world.service.received).toHaveLength(2);
  // Asleep, then every timer and alarm at once.
  world.clock.set(world.clock.now() + 86_400_000);
  world.clock.advance(8 * 3_600_000);
  await world.pass(10_000);
  expect(world.service.received).toHaveLength(3);
  world.service.always = (store) => store();
  await world.pass(180_000);
  expect([world.stored().length, (await sync.status()).reason]).toEqual([1, "idle"]);
});

test("whatever the browser says of its line, a flush tries the service", async () => {
  const world = new BackgroundWorld();
  Object.defineProperty(globalThis.navigator, "onLine", { value: false, configurable: true });
  try {
    world.start();
    await world.ask(handIn());
    await world.pass(3_000);
  } finally {
    Reflect.deleteProperty(globalThis.navigator, "onLine");
  }
  expect(world.stored()).toHaveLength(1);
});

test("calls the browser before each request to stay alive", async () => {
  const world = new BackgroundWorld();
  const calls: string[] = [];
  const apis = world.browser.start();
  const { get } = apis.alarms;
  apis.alarms.get = async (name) => {
    calls.push("browser");
    return await get(name);
  };
  const { sync } = world.start({ apis, batch: { items: 1 } });
  for (let index = 0; index < 3; index += 1) await sync.enqueue({ type: "heartbeat", payload: { contextId: `c${index}` } });
  calls.length = 0;
  world.service.always = (store) => {
    calls.push("request");
    return store();
  };
  await sync.flush();
  expect(calls.filter((call, index) => call === "request" && calls[index - 1] !== "browser")).toEqual([]);
  expect(calls.filter((call) => call === "request")).toHaveLength(3);
});
