import * as fc from "fast-check";
import { expect, it } from "vitest";
import { documentOf, isIn } from "../../test/analysed-document.js";
import { languageTexts } from "../../test/language-texts.js";
import { type Language, languages } from "./analysis/languages.js";
import { mayHavePair } from "./analysis/pair-filter.js";
import { parseQuery } from "./parse-query.js";
import { type PhrasePart, phrasePartsOf } from "./phrase-parts.js";
import { planGroup, type QueryGroup } from "./query-plan.js";
import type { TermMatch } from "./search-engine.js";

const words =
  "running runs run directories directory changes change minor min node.js getUserName résumé été wi-fi tests 東京都 files alone".split(
    " ",
  );
const stretch = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 4 }).map((some) => some.join(" "));
const language = fc.constantFrom(...languages);

const groupsOf = (query: string, known: readonly Language[]): QueryGroup[] =>
  (parseQuery(query)?.all ?? []).flatMap((terms) => planGroup(terms, known) ?? []);

function has(terms: ReadonlySet<string>, match: TermMatch): boolean {
  if (typeof match === "string") return terms.has(match);
  if ("any" in match) return match.any.some((each) => has(terms, each));
  return match.all.every((each) => has(terms, each)) && !match.none?.some((each) => has(terms, each));
}

const passes = ({ test = [] }: PhrasePart, filter: Uint8Array | null): boolean =>
  filter === null || test.every((list) => list.some((pair) => mayHavePair(filter, pair)));

it("a context that has a phrase is in one part, whose test it passes, whatever its language and the main one", () => {
  let [had, apart] = [0, 0];
  fc.assert(
    fc.property(language, language, stretch, stretch, fc.nat(3), (...args) => {
      const [of, main, text, other, kind] = args;
      // Of one in four it is another, which a context has by chance.
      const sought = kind === 0 ? other : text.split(" ").slice(-2).join(" ");
      const { vector, pairs, terms } = documentOf("", `${languageTexts[of]} ${text}. ${languageTexts[of]} alone`);
      const groups = groupsOf(kind === 1 ? `"${sought}" alone` : `"${sought}" OR "minor change"`, languages);
      const parts = phrasePartsOf(groups, languages, main);
      const own = new Set(terms.split(" "));
      const those = parts.filter(({ all, none }) => all.every((match) => has(own, match)) && !none.some((match) => has(own, match)));
      expect(those.length).toBeLessThan(2);
      if (!isIn(groups, vector)) return;
      had++;
      if (parts.length > 1) apart++;
      expect(those.map((part) => passes(part, pairs))).toEqual([true]);
    }),
    { numRuns: 5_000 },
  );
  // Else nothing was said.
  expect(Math.min(had, apart)).toBeGreaterThan(200);
});

it("contexts of the main language are asked for its pairs alone", () => {
  const pairsOf = (query: string, known: readonly Language[], main: Language | undefined) =>
    phrasePartsOf(groupsOf(query, known), known, main).map(({ test }) => test?.map((list) => new Set(list).size));
  expect(pairsOf('"connection opened"', languages, "en")).toEqual([[1], [4]]);
  expect(pairsOf('"connection opened"', languages, undefined)).toEqual([[4]]);
  // Of these, Swedish alone has a form of its own for one of the words.
  expect(pairsOf('"minor change"', ["en", "de", "sv"], "de")).toEqual([[1], [2]]);
  expect(pairsOf('"minor change"', ["en", "de"], "de")).toEqual([[1]]);
});

it("a long phrase is not written out for every language", () => {
  const query = `"${Array.from({ length: 150 }, (_, index) => `running${index}a`).join(" ")}"`;
  const parts = phrasePartsOf(groupsOf(query, languages), languages, "en");
  expect(JSON.stringify(parts).length).toBeLessThan(30_000);
});
