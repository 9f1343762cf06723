import { expect } from "vitest";
import type { Scope } from "../../extension/queue/run-order.ts";
import { QueueClient } from "./queue-client.ts";
import { type Stage, testOn } from "./stage.ts";

/** Whether this is `pnpm test:deep`. */
export const isDeep = process.env["TEST_DEEP"] === "1";

/** CI runs a fifth of what takes hundreds of kills or thousands of messages; `pnpm test:deep` runs all of them. */
export const sampleOf = (all: number): number => (isDeep ? all : Math.ceil(all / 5));

const test = testOn("queue");

/** Where a row plays. */
interface Play {
  stage: Stage;
  /** Makes a queue of its own. */
  client(scope?: Partial<Scope>): QueueClient;
}

/** How a mistake is tried. */
interface Trial {
  /** Also where this is no deep run. */
  inEveryRun?: boolean;
  /** What the row says of the mistake, where something else in it could fail as well. */
  says?: RegExp;
}

/** A row, to which can be added which mistake it finds. */
interface Row {
  /**
   * Names a mistake in the queue that the row finds: a matrix that finds nothing in a bad queue finds nothing at all. Whether it does is tried
   * in a deep run, and in every run where it takes a browser: `packages/sync` has the same mistakes for its own scenarios in Node.
   */
  finds(mutation: string, trial?: Trial): void;
}

/** A row of the fault matrix: does what its name says, and checks what must hold. */
export function row(name: string, play: (play: Play) => Promise<void>): Row {
  test(name, ({ stage }) => play({ stage, client: (scope = {}) => new QueueClient(stage, scope) }));
  return {
    finds(mutation, { inEveryRun = isDeep, says = /^expected/ } = {}) {
      if (!inEveryRun) return;
      test(`${name.replace(/:.*/, "")} finds a queue that ${mutation}`, async ({ stage }) => {
        const played = play({ stage, client: (scope) => new QueueClient(stage, { ...scope, mutation }) });
        await expect(played).rejects.toMatchObject({ name: "AssertionError", message: expect.stringMatching(says) });
      });
    },
  };
}
