import { expect, test } from "vitest";
import type { RateStore } from "../rates/rate.store.js";
import { createSharedLimiter } from "./shared-limiter.js";

const start = Date.UTC(2026, 0, 31, 12);

/** Budgets as a database has them, with its clock. */
function storeOf(clock = () => start) {
  const windows = new Map<string, number>();
  const store = {
    leases: 0,
    async lease({ subject, budget, limit }: Parameters<RateStore["lease"]>[0]) {
      store.leases++;
      const window = Math.floor(clock() / 60_000);
      const key = `${budget} ${subject} ${window}`;
      const before = windows.get(key) ?? 0;
      const granted = Math.min(limit - before, Math.max(1, Math.floor((limit - before) / 10)));
      windows.set(key, before + granted);
      return { granted, taken: before + granted, window, endsInMs: (window + 1) * 60_000 - clock() };
    },
  };
  return store;
}

test("one process allows exactly the limit, and tells what is left one by one", async () => {
  const limiter = createSharedLimiter(storeOf(), () => start);
  for (let left = 99; left >= 0; left--)
    expect(await limiter.take("ada", "read", 100)).toEqual({
      allowed: true,
      limit: 100,
      remaining: left,
      resetAt: start / 1000 + 60,
      resetInMs: 60_000,
    });
  for (let more = 0; more < 3; more++) expect(await limiter.take("ada", "read", 100)).toMatchObject({ allowed: false, remaining: 0 });
  expect(await limiter.take("grace", "read", 100)).toMatchObject({ allowed: true, remaining: 99 });
  expect(await limiter.take("ada", "sync", 100)).toMatchObject({ allowed: true, remaining: 99 });
});

test("processes together never allow more than the limit, at a fraction of the writes", async () => {
  const store = storeOf();
  const processes = Array.from({ length: 3 }, () => createSharedLimiter(store, () => start));
  const decisions = await Promise.all(
    Array.from({ length: 3000 }, async (_, index) => await processes[index % 3]!.take("ada", "read", 600)),
  );
  expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(600);
  expect(store.leases).toBeLessThan(100);
});

test("a process that comes when others have most of the budget in hand gets what is left", async () => {
  const store = storeOf();
  const [one, other] = [createSharedLimiter(store, () => start), createSharedLimiter(store, () => start)];
  for (let count = 0; count < 55; count++) await one.take("ada", "read", 60);
  let allowed = 0;
  while ((await other.take("ada", "read", 60)).allowed) allowed++;
  expect(allowed).toBeGreaterThanOrEqual(4);
  expect(allowed).toBeLessThanOrEqual(5);
});

test("the next window starts anew", async () => {
  let now = start;
  const limiter = createSharedLimiter(
    storeOf(() => now),
    () => now,
  );
  expect(await limiter.take("ada", "read", 1)).toMatchObject({ allowed: true, remaining: 0 });
  expect(await limiter.take("ada", "read", 1)).toMatchObject({ allowed: false });
  now += 60_000;
  expect(await limiter.take("ada", "read", 1)).toMatchObject({ allowed: true, remaining: 0, resetAt: now / 1000 + 60 });
});

test("the store says which minute it is, whatever the clocks of processes say, also when they are set", async () => {
  let now = start;
  let ahead = 200_000;
  const store = storeOf(() => now);
  const processes = [-150_000, 0, 150_000].map((aheadMs) => createSharedLimiter(store, () => now + aheadMs));
  const changed = createSharedLimiter(store, () => now + ahead);
  for (let minute = 0; minute < 3; minute++) {
    const decisions = [];
    for (let count = 0; count < 60; count++) decisions.push(await processes[count % 3]!.take("ada", "read", 30));
    expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(30);
    expect(new Set(decisions.map(({ resetAt }) => resetAt))).toEqual(new Set([now / 1000 + 60]));
    ahead = -ahead;
    expect(await changed.take("grace", "read", 30)).toMatchObject({ allowed: true, resetAt: now / 1000 + 60 });
    now += 60_000;
  }
});

test("an answer that comes when its minute is over is not given out", async () => {
  let now = start;
  const store = storeOf(() => now);
  const slow: RateStore = {
    async lease(wanted) {
      const granted = await store.lease(wanted);
      if (store.leases === 1) now += 60_000;
      return granted;
    },
  };
  const limiter = createSharedLimiter(slow, () => now);
  expect(await limiter.take("ada", "read", 20)).toMatchObject({ allowed: true, remaining: 19, resetAt: start / 1000 + 120 });
});

test("a store that fails once fails the requests that waited for it, and no later one", async () => {
  const store = storeOf();
  let isBroken = true;
  const lease: RateStore["lease"] = async (wanted) => (isBroken ? Promise.reject(new Error("gone")) : store.lease(wanted));
  const limiter = createSharedLimiter({ lease }, () => start);
  await expect(Promise.all([1, 2].map(async () => await limiter.take("ada", "read", 5)))).rejects.toThrow("gone");
  isBroken = false;
  expect(await limiter.take("ada", "read", 5)).toMatchObject({ allowed: true, remaining: 4 });
});
