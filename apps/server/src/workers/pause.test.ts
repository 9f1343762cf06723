import { setTimeout as wait } from "node:timers/promises";
import { expect, it } from "vitest";
import { createPause } from "./pause.js";

const work = () => {
  for (const until = performance.now() + 10; performance.now() < until;);
};

it("pauses after long work, and not after a wait", async () => {
  let turns = 0;
  const pause = createPause(async () => {
    turns++;
    await new Promise(setImmediate);
  });
  for (let piece = 0; piece < 3; piece++) {
    await wait(10);
    await pause();
  }
  expect(turns).toBe(0);
  for (let piece = 0; piece < 3; piece++) {
    work();
    await pause();
  }
  expect(turns).toBe(3);
});
