import { expect, test } from "vitest";
import { startSlices } from "./slices.js";

test("counts time in slices only, and yields after each", async () => {
  let time = 100;
  let pauses = 0;
  const slices = await startSlices({
    now: () => time,
    async pause() {
      pauses += 1;
      time += 1_000;
      return 10;
    },
  });
  time += 5;
  await slices.yieldToEventLoop();
  expect([pauses, slices.usedMs(), slices.isOver()]).toEqual([1, 5, false]);
  time += 5;
  await slices.yieldToEventLoop();
  expect([pauses, slices.usedMs(), slices.isOver()]).toEqual([2, 10, false]);
  time += 4_990;
  expect(slices.isOver()).toBe(true);
});
