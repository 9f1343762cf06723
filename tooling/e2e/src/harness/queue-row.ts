import { expect, test as plain } from "vitest";
import type { Scope } from "../../extension/queue/run-order.ts";
import { QueueClient } from "./queue-client.ts";
import { restoreBrowser, setStage, type Stage } from "./stage.ts";

// Vitest reads what a fixture needs from its first parameter, also when that is nothing.
/* oxlint-disable no-empty-pattern */

/** Whether this is `pnpm test:deep`. */
export const isDeep = process.env["TEST_DEEP"] === "1";

/** CI runs a fifth of what takes hundreds of kills or thousands of messages; `pnpm test:deep` runs all of them. */
export const sampleOf = (all: number): number => (isDeep ? all : Math.ceil(all / 5));

/** On the stage of the queue's core, which all rows of a worker share. */
const test = plain
  .extend("stageOfWorker", { scope: "worker" }, async ({}, { onCleanup }) => {
    const stage = await setStage("queue");
    onCleanup(() => stage[Symbol.asyncDispose]());
    return stage;
  })
  .extend("stage", ({ stageOfWorker }, { onCleanup }) => {
    onCleanup(() => restoreBrowser(stageOfWorker));
    return stageOfWorker;
  });

/** Where a row plays. */
export interface Play {
  stage: Stage;
  /** Makes a queue of its own. */
  client(scope?: Partial<Scope>): QueueClient;
}

/** Says what a row is good for. */
interface Row {
  /**
   * Names a mistake in the queue that the row finds: a matrix that finds nothing in a bad queue finds nothing at all. Whether it does is tried
   * in a deep run, and in every run where it takes a browser: `packages/sync` has the same mistakes for its own scenarios in Node.
   */
  finds(mutation: string, options?: { inEveryRun: boolean }): void;
}

/** A row of the fault matrix: does what its name says, and checks what must hold. */
export function row(name: string, play: (play: Play) => Promise<void>): Row {
  test(name, ({ stage }) => play({ stage, client: (scope = {}) => new QueueClient(stage, scope) }));
  return {
    finds(mutation, { inEveryRun } = { inEveryRun: isDeep }) {
      if (!inEveryRun) return;
      test(`${name.replace(/:.*/, "")} finds a queue that ${mutation}`, async ({ stage }) => {
        const played = play({ stage, client: (scope) => new QueueClient(stage, { ...scope, mutation }) });
        await expect(played).rejects.toMatchObject({ name: "AssertionError" });
      });
    },
  };
}
