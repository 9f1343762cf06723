import type { SyncQueue } from "../../src/core/index.js";
import { page, type World } from "../world.js";

/** What must hold of a queue, whatever its store. A queue with a mistake must fail one of them. */
export type Scenario = (world: World) => Promise<void>;

/** Lets everything that is due now happen, without any time passing on the clock. */
export const turns = async (count = 30): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** Enqueues pages; resolves to the ids of those that were queued. */
export async function enqueueAll({ queue }: { queue: SyncQueue }, count: number, size = 0): Promise<string[]> {
  const ids = [];
  for (let index = 0; index < count; index += 1) {
    const kept = await queue.enqueue(page(`page ${index} ${"x".repeat(size)}`));
    if (kept.status === "queued") ids.push(kept.id);
  }
  return ids;
}

/** What a promise comes to without time passing; fails when it hangs. */
export async function within<T>(promise: Promise<T>): Promise<T> {
  const hangs = turns(400).then(() => {
    throw new Error("It hangs.");
  });
  return await Promise.race([promise, hangs]);
}
