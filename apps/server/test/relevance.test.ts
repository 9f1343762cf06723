import { expect } from "vitest";
import { relevanceCases } from "./relevance-cases.js";
import { withSearcher as test } from "./search-world.js";

test.for(relevanceCases)("%s", async ([, contexts, query, finds, more = {}], { fixture }) => {
  const { add, search, everything } = fixture;
  const rows = contexts.map((context) => (typeof context === "string" ? { id: context, content: context } : context));
  await add(...rows.map(({ id, ...rest }) => ({ contextId: id.slice(0, 100), ...rest })));
  const found = await search(everything, { query, limit: 20, offset: 0 });
  expect(found.results.map(({ contextId }) => contextId)).toEqual(finds);
  expect(found.correctedQuery).toBe(more.correctedQuery);
  expect(found.results[0]?.snippet ?? "").toContain(more.shows ?? "");
  const relevances = found.results.map(({ relevance }) => relevance);
  expect(relevances).toEqual(relevances.toSorted((a, b) => b - a));
  expect(found.total).toBe(finds.length);
});
