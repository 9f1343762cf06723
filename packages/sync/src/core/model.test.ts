import "fake-indexeddb/auto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { commands, runModel } from "../../test/model.js";
import { mistakes } from "../../test/mutations.js";
import { scenarios } from "../../test/scenarios/index.js";
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
  test.each(Object.entries(mistakes))("one that %s", async (_name, { finds, mutate }) => {
    const scenario = scenarios[finds]!;
    await scenario(new World(memoryStore()));
    await expect(scenario(new World(memoryStore(), mutate))).rejects.toThrow(/^expected|^It hangs/);
  });
});
