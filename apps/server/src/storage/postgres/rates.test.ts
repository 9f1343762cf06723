import { expect } from "vitest";
import { openPostgresStorage, withPostgresStorage as it } from "../../../test/postgres-storage.js";
import type { RateStore } from "../../rates/rate-limiter.js";
import { postgresEngine } from "./engine.js";

const ratesOf = ({ rates }: { rates?: RateStore }): RateStore => rates ?? expect.unreachable();

it("counts every request once over several processes, up to one past the limit", async () => {
  const rateClock = () => 60_000 * 7 + 15_000;
  await using one = await openPostgresStorage({ rateClock });
  await using other = await postgresEngine(one.database.url).open({ searchTimeoutMs: 1_000, rateClock });
  const stores = [ratesOf(one.storage), ratesOf(other)];
  const counts = await Promise.all(Array.from({ length: 30 }, async (_, index) => stores[index % 2]?.take("ada", "read", 20)));
  expect(counts.map((count) => count?.used).toSorted((a, b) => (a ?? 0) - (b ?? 0))).toEqual([
    ...Array.from({ length: 20 }, (_, index) => index + 1),
    ...Array.from({ length: 10 }, () => 21),
  ]);
  expect(counts[0]).toMatchObject({ resetAt: 480, resetInMs: 45_000 });
  const peeked = await ratesOf(other).peek("ada", ["read", "sync"]);
  expect(peeked.get("read")).toEqual({ used: 21, resetAt: 480, resetInMs: 45_000 });
  expect(peeked.get("sync")).toEqual({ used: 0, resetAt: 480, resetInMs: 45_000 });
});

it("starts again with each minute of the clock, and after a clock that was far ahead", async () => {
  let now = 60_000 * 7 + 59_999;
  await using one = await openPostgresStorage({ rateClock: () => now });
  const rates = ratesOf(one.storage);
  const take = async () => (await rates.take("ada", "read", 5)).used;
  expect([await take(), await take()]).toEqual([1, 2]);
  now += 1;
  expect((await rates.peek("ada", ["read"])).get("read")?.used).toBe(0);
  expect(await take()).toBe(1);
  now -= 60_000 * 5;
  expect([await take(), await take()]).toEqual([1, 2]);
});

it("takes minutes from the database's clock", async ({ one }) => {
  const { resetAt, resetInMs } = await ratesOf(one.storage).take("ada", "read", 5);
  expect(resetAt % 60).toBe(0);
  expect(resetInMs).toBeGreaterThan(0);
  expect(resetInMs).toBeLessThanOrEqual(60_000);
});

it("keeps no budget of a minute that is long over", async () => {
  let now = 60_000 * 7;
  await using one = await openPostgresStorage({ rateClock: () => now });
  const subjects = async () => {
    await one.storage.prune(0);
    return await one.database.rows(`SELECT "userId" FROM rate_windows`);
  };
  await ratesOf(one.storage).take("1.2.3.4", "login", 5);
  expect(await subjects()).toEqual([{ userId: "1.2.3.4" }]);
  now += 600_000;
  await ratesOf(one.storage).take("ada", "read", 5);
  expect(await subjects()).toEqual([{ userId: "ada" }]);
});
