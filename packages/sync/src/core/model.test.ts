import "fake-indexeddb/auto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { commands, runModel } from "../../test/model.js";
import { mutations } from "../../test/mutations.js";
import { scenarios } from "../../test/scenarios/index.js";
import type { Scenario } from "../../test/scenarios/scenario.js";
import { World } from "../../test/world.js";
import { memoryStore } from "../../test/testing/index.js";
import { idbStore } from "./index.js";

let stores = 0;
/** A deep run tries five times as many orders. */
const times = process.env["TEST_DEEP"] === "1" ? 5 : 1;

describe("every queued message arrives once, under its own account, in any order of events", () => {
  test("in memory", async () => {
    await fc.assert(
      fc.asyncProperty(commands, async (list) => runModel(new World(memoryStore()), list)),
      { numRuns: 600 * times },
    );
  });

  test("in IndexedDB", async () => {
    await fc.assert(
      fc.asyncProperty(commands, async (list) => runModel(new World(idbStore({ name: `model-${(stores += 1)}` })), list)),
      { numRuns: 20 * times },
    );
  });
});

describe("a queue that is worse by one mistake is found out", () => {
  test.each(Object.entries(mutations))("one that %s", async (_name, mutation) => {
    const found: string[] = [];
    for (const [name, scenario] of Object.entries(scenarios)) {
      if (await fails(scenario, new World(memoryStore(), mutation))) found.push(name);
      if (found.length > 0) break;
    }
    expect(found).not.toEqual([]);
  });
});

/** Whether a scenario fails; one that hangs does too. */
async function fails(scenario: Scenario, world: World): Promise<boolean> {
  const hangs = new Promise<boolean>((resolve) => setTimeout(() => resolve(true), 3_000).unref());
  const run = scenario(world).then(
    () => false,
    () => true,
  );
  return await Promise.race([run, hangs]);
}
