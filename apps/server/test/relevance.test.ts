import { describe, expect, test } from "vitest";
import { createSearchService } from "../src/search/search.service.js";
import { openSearchFixture, user } from "../src/storage/sqlite/search-fixture.js";
import { relevanceCases } from "./relevance-cases.js";

describe("the relevance cases on SQLite", () => {
  test.each(relevanceCases.map((each) => [each.name, each] as const))(
    "%s",
    async (_name, { contexts, query, finds, correctedQuery, shows }) => {
      await using fixture = openSearchFixture();
      fixture.add(...contexts.map(({ id, ...rest }) => ({ contextId: id.slice(0, 100), ...rest })));
      const { search } = createSearchService({ search: fixture.store });
      const found = await search({ userId: user, maxPrivacyLevel: "restricted" }, { query, limit: 20, offset: 0 });
      expect(found.results.map(({ contextId }) => contextId)).toEqual(finds);
      expect(found.correctedQuery).toBe(correctedQuery);
      expect(found.results[0]?.snippet ?? "").toContain(shows ?? "");
      const relevances = found.results.map(({ relevance }) => relevance);
      expect(relevances).toEqual(relevances.toSorted((a, b) => b - a));
      expect(found.total).toBe(finds.length);
    },
  );
});
