import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openSearchWorld, type Searcher, type SearchWorld } from "../../test/search-world.js";

let world: SearchWorld;
beforeAll(async () => void (world = await openSearchWorld()));
afterAll(() => world[Symbol.asyncDispose]());

const question = "which lamps guided whaling ships";
/** As good as each other by the words of the question; only the first speaks of its subject by other words as well. */
const onSubject = { contextId: "on subject", content: "lamps, fresnel lens, refraction and prisms" };
const besides = { contextId: "besides", content: "lamps, kitchen table, furniture and curtains" };
const models = Array.from({ length: 8 }, (_, index) => ({
  contextId: `model${index}`,
  content: `lamps that guided whaling ships by a fresnel lens of prisms and refraction, in case ${index}`,
}));
const others = Array.from({ length: 30 }, (_, index) => ({
  contextId: `other${index}`,
  content: `ships ${["kitchen", "table", "furniture", "curtains"][index % 4]} ${index}`,
}));

/** Stored in this order, the newest last: of equals the newest comes first. */
async function searcherWith(...rows: Parameters<Searcher["add"]>): Promise<Searcher> {
  const searcher = world.newUser();
  await searcher.add(...rows);
  return searcher;
}

describe("what the best contexts have in common", () => {
  test("makes those better that have it too", async () => {
    const found = await (await searcherWith(onSubject, besides, ...models, ...others)).find(question);
    expect(found.slice(0, 8).toSorted()).toEqual(models.map(({ contextId }) => contextId));
    expect(found.indexOf("on subject")).toBeLessThan(found.indexOf("besides"));
  });

  test("is not asked of few contexts", async () => {
    const found = await (await searcherWith(onSubject, besides, ...models.slice(0, 4), ...others.slice(0, 13))).find(question);
    expect(found).toHaveLength(19);
    expect(found.indexOf("besides")).toBeLessThan(found.indexOf("on subject"));
  });

  test("is not asked for two words, of which a context must have both", async () => {
    const both = [onSubject, besides].map((row) => ({ ...row, content: `${row.content} for ships` }));
    const found = await (await searcherWith(...both, ...models, ...others)).find("lamps ships");
    expect(found.filter((id) => id === "besides" || id === "on subject")).toEqual(["besides", "on subject"]);
  });

  test("puts nothing before a title of the same words", async () => {
    const titled = { contextId: "titled", title: "Lamps guided whaling ships", content: "nothing else" };
    const searcher = await searcherWith(titled, ...models, ...others);
    const { results } = await searcher.search(searcher.everything, { query: "lamps guided whaling ships", limit: 1, offset: 0 });
    expect(results).toMatchObject([{ contextId: "titled", relevance: 1 }]);
  });

  test("leaves the words of the question what counts most", async () => {
    const much = { contextId: "much", content: "fresnel lens, prisms and refraction, whaling" };
    const few = { contextId: "few", content: "lamps guided ships past kitchens" };
    const found = await (await searcherWith(few, ...models, ...others, much)).find(question);
    expect(found.slice(models.length, models.length + 2)).toEqual(["few", "much"]);
  });
});

test("contexts with all of three words come before those that lack one, which follow", async () => {
  const searcher = await searcherWith(
    { contextId: "all", content: "harbour pilots and their tugs" },
    { contextId: "two", content: "harbour pilots" },
    { contextId: "one", content: "tugs of war" },
  );
  expect(await searcher.find("harbour pilots tugs")).toEqual(["all", "two", "one"]);
  expect((await searcher.find("harbour pilots")).toSorted()).toEqual(["all", "two"]);
});

test("nothing stands beside what has all of a query with a quoted phrase", async () => {
  const searcher = await searcherWith(
    { contextId: "all", content: "harbour pilots, and far from there their tugs" },
    { contextId: "no phrase", title: "Pilots of tugs", content: "pilots, tugs, and the harbour" },
    { contextId: "two", title: "Harbour pilots", content: "harbour pilots" },
  );
  expect(await searcher.find('"harbour pilots" tugs there')).toEqual(["all"]);
});

test("who has as one word what a question writes in parts has these parts", async () => {
  const searcher = await searcherWith(
    { contextId: "one word", content: "a regexp for paths" },
    { contextId: "no such word", content: "an utility for paths" },
  );
  expect(await searcher.find("RegExp paths express styles")).toEqual(["one word", "no such word"]);
});

test("relevances fall along the answer, are none past 1, and pages tile it", async () => {
  const words = ["amber", "birch", "cedar", "dune", "elm", "fern", "grove", "heath"];
  const text = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 12 }).map((some) => some.join(" "));
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 20, maxLength: 130 }), text, async (contents, query) => {
      const searcher = await searcherWith(...contents.map((content, index) => ({ contextId: `c${index}`, title: "", content })));
      const { results, total } = await searcher.search(searcher.everything, { query, limit: 200, offset: 0 });
      expect(results).toHaveLength(total);
      for (const [index, { relevance }] of results.entries()) {
        expect(relevance).toBeGreaterThan(0);
        expect(relevance).toBeLessThanOrEqual(results[index - 1]?.relevance ?? 1);
      }
      const pages = [0, 50, 100].map((offset) => searcher.search(searcher.everything, { query, limit: 50, offset }));
      const tiled = (await Promise.all(pages)).flatMap(({ results: some }) => some.map(({ contextId }) => contextId));
      expect(tiled).toEqual(results.map(({ contextId }) => contextId).slice(0, 150));
    }),
    { numRuns: 15 },
  );
});
