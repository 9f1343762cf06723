import { createQueue } from "@periscope/sync/core";
import { fakeService, manualClock, memoryStore, refuses } from "@periscope/sync/testing";
import { expect, test } from "vitest";
import { createHealthReport, type HealthReporting } from "./health-report.js";

/** A background with a queue that fails, and what the service has heard of it. */
function startBackground() {
  const clock = manualClock();
  const service = fakeService();
  const memory = new Map<string, unknown>();
  const storage = {
    session: {
      get: async (key: string) => ({ [key]: memory.get(key) }),
      set: async (items: object) => {
        for (const [key, value] of Object.entries(items)) memory.set(key, value);
      },
    },
  } as unknown as HealthReporting["storage"];
  const sync = createQueue({
    baseUrl: "https://periscope.example",
    apiKey: "psk_key",
    filter: (message) => ({ keep: true, message }),
    store: memoryStore(),
    fetch: service.fetch,
    clock,
    random: () => 0,
  });
  let account = "ada";
  const report = createHealthReport({ sync, storage, version: "1.2.3", account: async () => account, now: clock.now });
  return {
    clock,
    service,
    sync,
    report,
    signIn: (next: string) => (account = next),
    heard: () => [...service.stored.values()].map(({ json }) => (JSON.parse(json) as { payload: object }).payload),
  };
}

test("tells what has changed, and each error once", async () => {
  const { clock, service, sync, report, heard } = startBackground();
  await report();
  await sync.flush();
  const well = { config: { version: "1.2.3", waitingMessages: 0, refusedMessages: 0 } };
  expect(heard()).toEqual([well]);
  // Nothing has changed since then.
  clock.advance(60_000);
  await report();
  expect(await sync.status()).toMatchObject({ waiting: 0 });

  service.always = refuses(503, "unavailable");
  for (let turn = 0; turn < 150; turn += 1) await sync.enqueue({ type: "heartbeat", payload: { contextId: `c${turn}` } });
  for (let turn = 0; turn < 3; turn += 1) {
    await sync.flush();
    await report();
    clock.advance(600_000);
  }
  service.always = (store) => store();
  await sync.flush();
  const error = { code: "service", message: "The service answered 503 unavailable." };
  expect(heard().filter((payload) => !("contextId" in payload))).toEqual([well, error]);
});

test("tells how much waits when the service takes it by and by", async () => {
  const { clock, service, sync, report, heard } = startBackground();
  for (let turn = 0; turn < 250; turn += 1) await sync.enqueue({ type: "heartbeat", payload: { contextId: `c${turn}` } });
  service.faults.push((store) => store(), refuses(429, "rate_limit_exceeded"));
  await sync.flush();
  await report();
  clock.advance(600_000);
  await sync.flush();
  await report();
  await sync.flush();
  const waiting = heard().flatMap((payload) =>
    "config" in payload ? [(payload.config as { waitingMessages: number }).waitingMessages] : [],
  );
  expect(waiting).toEqual([150, 0]);
});

test("tells at once that nothing waits any more", async () => {
  const { clock, service, sync, report, heard } = startBackground();
  for (let turn = 0; turn < 250; turn += 1) await sync.enqueue({ type: "heartbeat", payload: { contextId: `c${turn}` } });
  service.faults.push((store) => store(), refuses(429, "rate_limit_exceeded"));
  await sync.flush();
  await report();
  clock.advance(30_000);
  await sync.resume();
  await sync.flush();
  await report();
  await sync.flush();
  expect(heard().at(-1)).toMatchObject({ config: { waitingMessages: 0 } });
});

test("tells at most once a minute, whoever asks", async () => {
  const { clock, sync, report, heard } = startBackground();
  await Promise.all([report(), report()]);
  await sync.pause();
  clock.advance(59_000);
  await report();
  await sync.resume();
  await sync.flush();
  expect(heard()).toHaveLength(1);
});

test("tells another account the same again, and nobody while nothing may be sent", async () => {
  const { sync, report, signIn, heard } = startBackground();
  signIn("");
  await report();
  expect(await sync.status()).toMatchObject({ waiting: 0 });
  for (const account of ["ada", "bob"]) {
    signIn(account);
    await report();
    await sync.flush();
  }
  expect(heard()).toHaveLength(2);
});
