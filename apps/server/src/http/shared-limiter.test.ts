import { expect, test } from "vitest";
import type { RateStore } from "../rates/rate.store.js";
import { createSharedLimiter } from "./shared-limiter.js";

/** Budgets as a database has them. */
function storeOf() {
  const windows = new Map<string, number>();
  const store = {
    leases: 0,
    async lease({ subject, budget, limit, window }: Parameters<RateStore["lease"]>[0]) {
      store.leases++;
      const key = `${budget} ${subject} ${window}`;
      const before = windows.get(key) ?? 0;
      const granted = Math.min(limit - before, Math.max(1, Math.floor((limit - before) / 10)));
      windows.set(key, before + granted);
      return { granted, taken: before + granted };
    },
  };
  return store;
}

const start = Date.UTC(2026, 0, 31, 12);

test("one process allows exactly the limit, and tells what is left one by one", async () => {
  const limiter = createSharedLimiter(storeOf(), () => start);
  for (let left = 99; left >= 0; left--)
    expect(await limiter.take("ada", "read", 100)).toEqual({ allowed: true, limit: 100, remaining: left, resetAt: start / 1000 + 60 });
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
  const limiter = createSharedLimiter(storeOf(), () => now);
  expect(await limiter.take("ada", "read", 1)).toMatchObject({ allowed: true, remaining: 0 });
  expect(await limiter.take("ada", "read", 1)).toMatchObject({ allowed: false });
  now += 60_000;
  expect(await limiter.take("ada", "read", 1)).toMatchObject({ allowed: true, remaining: 0, resetAt: now / 1000 + 60 });
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
