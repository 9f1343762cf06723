import { expect, it, onTestFinished, vi } from "vitest";
import { FairQueue } from "./fair-queue.js";

/** A queue whose jobs run until the test ends them, in the order in which they began. */
function setUp(slots: number) {
  const queue = new FairQueue(slots);
  const running: Array<{ userId: string; end: () => void }> = [];
  const begun: string[] = [];
  const run = (userId: string) =>
    queue.run(userId, async () => {
      begun.push(userId);
      await new Promise<void>((end) => running.push({ userId, end }));
    });
  /** Ends the first job that runs, of a user where one is named, and waits until the next one has begun. */
  const endFirst = async (userId = running[0]?.userId) => {
    const at = running.findIndex((job) => job.userId === userId);
    running.splice(at, 1)[0]?.end();
    await new Promise(setImmediate);
  };
  const endAll = async (jobs: ReadonlyArray<Promise<void>>) => {
    for (let ended = 0; ended < jobs.length; ended++) await endFirst();
    await Promise.all(jobs);
  };
  return { begun, run, endFirst, endAll };
}

it("keeps a slot free for the next user, while one has many jobs", async () => {
  const { run, begun, endAll } = setUp(4);
  const jobs = Array.from({ length: 8 }, () => run("busy"));
  expect(begun).toEqual(["busy", "busy", "busy"]);
  jobs.push(run("next"));
  expect(begun).toEqual(["busy", "busy", "busy", "next"]);
  await endAll(jobs);
});

it("leaves one user at most half of the slots while others wait", async () => {
  const { run, begun, endFirst, endAll } = setUp(4);
  const jobs = [...Array.from({ length: 8 }, () => run("busy")), ...Array.from({ length: 3 }, () => run("next"))];
  for (let ended = 0; ended < 2; ended++) await endFirst("busy");
  expect(begun).toEqual(["busy", "busy", "busy", "next", "next", "busy"]);
  await endAll(jobs);
});

it("gives each of two users one of three slots, and the third to the next user", async () => {
  const { run, begun, endFirst, endAll } = setUp(3);
  const jobs = ["ada", "ada", "ada", "grace", "grace"].map(run);
  await endFirst();
  expect(begun).toEqual(["ada", "ada", "grace"]);
  jobs.push(run("next"));
  expect(begun).toEqual(["ada", "ada", "grace", "next"]);
  await endAll(jobs);
});

it("serves the user who used the least time first", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const { run, begun, endFirst, endAll } = setUp(1);
  const used = run("busy");
  vi.advanceTimersByTime(1_000);
  await endFirst();
  await used;
  await endAll(["first", "busy", "rare"].map(run));
  expect(begun).toEqual(["busy", "first", "rare", "busy"]);
});

it("refuses a user who has too many waiting, and nobody else", async () => {
  const { run, begun, endAll } = setUp(2);
  const jobs = Array.from({ length: 257 }, () => run("busy"));
  await expect(run("busy")).rejects.toMatchObject({ code: "unavailable", extra: { retryAfterSeconds: 1 } });
  jobs.push(run("other"));
  expect(begun).toEqual(["busy", "other"]);
  await endAll(jobs);
});

it("frees the slot of a job that fails", async () => {
  const queue = new FairQueue(1);
  for (let round = 0; round < 3; round++) await expect(queue.run("ada", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
});
