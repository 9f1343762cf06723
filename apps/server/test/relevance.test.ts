import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { relevanceCases } from "./relevance-cases.js";
import { openSearchWorld, type SearchWorld } from "./search-world.js";

let world: SearchWorld;
beforeAll(async () => void (world = await openSearchWorld()));
afterAll(() => world[Symbol.asyncDispose]());

describe("the relevance cases", () => {
  test.each(relevanceCases.map((each) => [each.name, each] as const))(
    "%s",
    async (_name, { contexts, query, finds, correctedQuery, shows }) => {
      const { add, search, everything } = world.newUser();
      await add(...contexts.map(({ id, ...rest }) => ({ contextId: id.slice(0, 100), ...rest })));
      const found = await search(everything, { query, limit: 20, offset: 0 });
      expect(found.results.map(({ contextId }) => contextId)).toEqual(finds);
      expect(found.correctedQuery).toBe(correctedQuery);
      expect(found.results[0]?.snippet ?? "").toContain(shows ?? "");
      const relevances = found.results.map(({ relevance }) => relevance);
      expect(relevances).toEqual(relevances.toSorted((a, b) => b - a));
      expect(found.total).toBe(finds.length);
    },
  );
});
