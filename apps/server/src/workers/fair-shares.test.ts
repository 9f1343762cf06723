import { expect, it } from "vitest";
import { FairQueue } from "./fair-queue.js";

it("gives each of two users one of three slots while both wait, and the third to the next user", async () => {
  const queue = new FairQueue(3);
  const begun: string[] = [];
  const ends: Array<() => void> = [];
  const run = (userId: string) =>
    queue.run(userId, () => {
      begun.push(userId);
      return new Promise<void>((end) => ends.push(end));
    });
  const endFirst = async () => {
    ends.shift()?.();
    await new Promise(setImmediate);
  };
  const jobs = ["ada", "ada", "ada", "grace", "grace"].map(run);
  await endFirst();
  expect(begun).toEqual(["ada", "ada", "grace"]);
  jobs.push(run("next"));
  expect(begun).toEqual(["ada", "ada", "grace", "next"]);
  for (let ended = 0; ended < jobs.length; ended++) await endFirst();
  await Promise.all(jobs);
});
