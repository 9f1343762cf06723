import { expect, test } from "vitest";
import { createPrivacyFilter } from "../privacy/privacy-filter.js";
import { toCapture } from "../contexts/capture.js";
import { type FilterTask, kindOf } from "../contexts/filter-task.js";
import type { ServerTasks } from "../worker.js";
import { type TaskOptions, TaskTimeout, WorkerLost, WorkerPool } from "./worker-pool.js";

const filter = createPrivacyFilter({ denyList: ["Ada Lovelace"] }, "1");

const task = (content: string): FilterTask["input"] => {
  const tabMetadata = { id: "7", url: "https://tea.example/", title: "Tea" };
  const page = { type: "page", tabId: "7", capturedAt: "2026-01-31T12:00:00Z", content, privacyLevel: "filtered", tabMetadata } as const;
  return { filter: filter.recipe, items: [{ kind: "capture", capture: toCapture(page) }] };
};

/** Never ends by itself: a pattern that backtracks through all ways to divide the word, which the service itself refuses. */
const endless = { policyId: "endless", policy: { patterns: [{ kind: "a", pattern: "(?:a+)+!" }] }, version: "1" };
const hog = { ...task("a".repeat(100)), filter: endless };
const quick = task("Tea by Ada Lovelace, jo@mail.example.");

/** Tests with a `pool` that they share: its threads take a while to start. */
// oxlint-disable-next-line no-empty-pattern -- Vitest asks for a pattern.
const it = test.extend("pool", { scope: "file" }, async ({}, { onCleanup }) => {
  const pool = new WorkerPool<ServerTasks>(3);
  onCleanup(() => pool[Symbol.asyncDispose]());
  return pool;
});
const as = (userId: string, cpuMsMax = 60_000): TaskOptions => ({ userId, cpuMsMax });

it("gives what the task gives on the calling thread", async ({ pool }) => {
  const { filtered, failures } = await pool.run("filter", quick, as("ada"));
  expect(filtered).toEqual(structuredClone(quick.items.map((item) => kindOf(item).filter(item, filter))));
  expect(failures).toEqual([]);
});

it("ends a task that uses up its processor time, and goes on with the next", async ({ pool }) => {
  await expect(pool.run("filter", hog, as("ada", 200))).rejects.toThrow(TaskTimeout);
  await expect(pool.run("filter", quick, as("ada"))).resolves.toBeDefined();
});

it("always leaves a thread to other users", async () => {
  await using pool = new WorkerPool<ServerTasks>(3);
  const ended: string[] = [];
  const end = () => void ended.push("hog");
  for (let count = 0; count < 4; count++) void pool.run("filter", hog, as("hog")).then(end, end);
  await pool.run("filter", quick, as("other"));
  expect(ended).toEqual([]);
});

it("passes errors of tasks on, rejects what cannot be cloned, and goes on", async ({ pool }) => {
  const broken = { ...quick, filter: { policyId: "broken", policy: { detectorsOff: ["card"] }, version: "1" } };
  await expect(pool.run("filter", broken, as("ada"))).rejects.toMatchObject({ name: "RangeError" });
  const unsendable = { ...quick, sent: () => {} };
  await expect(pool.run("filter", unsendable, as("ada"))).rejects.toThrow("could not be cloned");
  await expect(pool.run("filter", quick, as("ada"))).resolves.toBeDefined();
});

it("rejects running, waiting and later tasks when it closes", async () => {
  const pool = new WorkerPool<ServerTasks>(2);
  const open = [pool.run("filter", hog, as("ada")), pool.run("filter", hog, as("ada"))].map((run) => run.catch((error: unknown) => error));
  await pool[Symbol.asyncDispose]();
  for (const error of await Promise.all(open)) expect(error).toBeInstanceOf(WorkerLost);
  await expect(pool.run("filter", quick, as("ada"))).rejects.toThrow(WorkerLost);
});
