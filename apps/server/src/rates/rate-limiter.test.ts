import { expect, test } from "vitest";
import { createMemoryRates, createRateLimiter, type RateStore } from "./rate-limiter.js";

const start = Date.UTC(2026, 0, 31, 12);

/** A store with a clock of its own that counts how often it is asked. */
function storeWith(clock: () => number): RateStore & { asked: number } {
  const rates = createMemoryRates(clock);
  const store = {
    asked: 0,
    take: async (...wanted: Parameters<RateStore["take"]>) => {
      store.asked++;
      return await rates.take(...wanted);
    },
    peek: rates.peek,
  };
  return store;
}

const inTurn = async <T>(times: number, act: (index: number) => Promise<T>): Promise<T[]> => {
  const results: T[] = [];
  for (let index = 0; index < times; index++) results.push(await act(index));
  return results;
};

test("refuses a used-up budget without asking the store, until the minute ends", async () => {
  let now = start + 10_000;
  const store = storeWith(() => now);
  const limiter = createRateLimiter(store, () => now);
  await inTurn(20, () => limiter.take("ada", "read", 2));
  expect(store.asked).toBe(2);
  now = start + 59_999;
  expect(await limiter.take("ada", "read", 2)).toEqual({
    allowed: false,
    limit: 2,
    remaining: 0,
    resetAt: start / 1000 + 60,
    resetInMs: 1,
  });
  now = start + 60_000;
  expect(await limiter.take("ada", "read", 2)).toMatchObject({ allowed: true, remaining: 1, resetAt: start / 1000 + 120 });
});

test.each([-150_000, 150_000])("goes by the store's minute when its own clock is %d ms ahead", async (aheadMs) => {
  let now = start + 30_000;
  const limiter = createRateLimiter(
    createMemoryRates(() => now),
    () => now + aheadMs,
  );
  for (let minute = 0; minute < 3; minute++, now += 60_000) {
    const decisions = await inTurn(4, () => limiter.take("ada", "read", 2));
    expect(decisions.map(({ allowed }) => allowed)).toEqual([true, true, false, false]);
    expect(new Set(decisions.map(({ resetAt }) => resetAt))).toEqual(new Set([(now + 30_000) / 1000]));
  }
});

test("asks the store again when its own clock was set back", async () => {
  let ownNow = start;
  const limiter = createRateLimiter(
    createMemoryRates(() => ownNow),
    () => ownNow,
  );
  await limiter.take("ada", "read", 1);
  ownNow -= 3_600_000;
  expect(await limiter.take("ada", "read", 1)).toMatchObject({ allowed: true });
});

test("a failing store fails the request, and not the next one", async () => {
  const rates = createMemoryRates(() => start);
  let isBroken = true;
  const store: RateStore = { ...rates, take: async (...wanted) => (isBroken ? Promise.reject(new Error("gone")) : rates.take(...wanted)) };
  const limiter = createRateLimiter(store, () => start);
  await expect(limiter.take("ada", "read", 5)).rejects.toThrow("gone");
  expect(await limiter.takeLocally("ada", "read", 5)).toMatchObject({ allowed: true, remaining: 4 });
  isBroken = false;
  expect(await limiter.take("ada", "read", 5)).toMatchObject({ allowed: true, remaining: 4 });
});
