import { expect, test } from "vitest";
import { PrimaryPositions } from "./primary-positions.js";

test("a replica lags for as long as the primary has had what it misses", () => {
  const positions = new PrimaryPositions();
  const lag = (replayed: number, now: number, { ageMs = 0, isSilent = false } = {}) => positions.lagMs(replayed, ageMs, { now, isSilent });
  for (const [position, at] of [
    [100, 0],
    [100, 1_000],
    [200, 2_000],
    [300, 3_000],
  ] as const)
    positions.sample(position, at);
  expect([lag(300, 9_000), lag(250, 4_000), lag(100, 4_000)]).toEqual([0, 1_000, 2_000]);
  // Nothing was written from 0 to 2 s, however long ago that is; what is older than this process says the replica itself.
  expect(lag(150, 4_000, { ageMs: 60_000 })).toBe(2_000);
  expect(lag(99, 4_000, { ageMs: 60_000 })).toBe(60_000);
  // A primary that is gone writes nothing more.
  expect(lag(250, 60_000, { isSilent: true })).toBe(0);
  expect(lag(100, 60_000, { isSilent: true })).toBe(1_000);
  // Another one took over, with less of a log.
  positions.sample(250, 61_000);
  expect([lag(250, 62_000), lag(240, 62_000)]).toEqual([0, 1_000]);
});
