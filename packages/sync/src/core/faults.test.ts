import "fake-indexeddb/auto";
import { describe, expect, test } from "vitest";
import { scenarios } from "../../test/scenarios/index.js";
import { World } from "../../test/world.js";
import { memoryStore } from "../../test/testing/index.js";
import { idbStore } from "./index.js";

let stores = 0;

describe.each([
  ["in memory", memoryStore],
  ["in IndexedDB", () => idbStore({ name: `faults-${(stores += 1)}` })],
])("a queue %s", (_, store) => {
  test.each(Object.entries(scenarios))("%s", async (_name, scenario) => {
    await expect(scenario(new World(store()))).resolves.toBeUndefined();
  });
});
