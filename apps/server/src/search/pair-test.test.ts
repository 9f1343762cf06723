import * as fc from "fast-check";
import { expect, it } from "vitest";
import { documentOf, isIn } from "../../test/analysed-document.js";
import { mayHavePair, PairCollector, pairHashOf } from "./analysis/pair-filter.js";
import { languages } from "./analysis/languages.js";
import { pairTestOf } from "./pair-test.js";
import { parseQuery } from "./parse-query.js";
import { planGroup, type QueryGroup } from "./query-plan.js";

const known = languages.slice(0, 3);
const pieces = fc.constantFrom(
  ..."green teas running résumé C++ C# .NET a b getUserName node.js wi-fi x.yZ9-q_v l'été 東京都へ 学 習 ที่นี่ été über 2026-01-31 HTTPServer".split(
    " ",
  ),
);
const text = fc.array(fc.tuple(pieces, fc.constantFrom(" ", " ", ", ", "", "-", "."))).map((parts) => parts.flat().join(""));
const groupsOf = (query: string): QueryGroup[] => (parseQuery(query)?.all ?? []).flatMap((terms) => planGroup(terms, known) ?? []);

const passes = (groups: readonly QueryGroup[], filter: Uint8Array | null): boolean =>
  filter === null || (pairTestOf(groups) ?? []).every((list) => list.some((pair) => mayHavePair(filter, pair)));

it("no context is refused that has what is looked for, word by word", () => {
  let had = 0;
  fc.assert(
    fc.property(text, text, fc.array(text, { maxLength: 2 }), fc.nat(), fc.nat(9), fc.boolean(), (...args) => {
      const [title, content, values, from, length, isPhrase] = args;
      const { vector, pairs } = documentOf(title, content, Object.fromEntries(values.entries()));
      // A stretch of one of its texts, as somebody remembers it.
      const source = [title, content, ...values][from % (2 + values.length)] ?? "";
      const words = source.split(" ");
      const some = words
        .slice(from % words.length)
        .slice(0, 1 + (length % 4))
        .join(" ")
        .replaceAll('"', "");
      const groups = groupsOf(isPhrase ? `"${some}" OR "green tea"` : `"${some}"`);
      if (groups.length === 0 || !isIn(groups, vector)) return;
      if (pairTestOf(groups)) had++;
      expect(passes(groups, pairs)).toBe(true);
    }),
    { numRuns: 3000 },
  );
  // Else nothing was said.
  expect(had).toBeGreaterThan(500);
});

it("few contexts pass that have the words apart", () => {
  const words = Array.from({ length: 800 }, (_, index) => `w${(index * 7919) % 523}`);
  const { pairs } = documentOf("A title", words.join(" "));
  expect(pairs?.length).toBeLessThan(650);
  const followers = new Set(words.slice(1).map((word, index) => `${words[index]} ${word}`));
  const apart = Array.from({ length: 2000 }, (_, index) => `w${index % 523} w${(index * 31 + 7) % 523}`).filter(
    (two) => !followers.has(two),
  );
  const passed = apart.filter((two) => passes(groupsOf(`"${two}"`), pairs));
  expect(passed.length / apart.length).toBeLessThan(0.12);
  expect(passes(groupsOf('"w1 w2 w3 w4 w5 w6"'), pairs)).toBe(false);
});

it.each([
  ["call getUserName now", '"call getusername"'],
  ["call getUserName now", '"getusername user"'],
  ["call getUserName now", '"user name now"'],
  ["code in C++ or C#", '"in C++ or C#"'],
  ["un résumé d'été", '"un resume d ete"'],
  ["我在東京都学習", '"東京都学習"'],
])("%s: %s", (content, query) => {
  const { vector, pairs } = documentOf("", content);
  const groups = groupsOf(query);
  expect([isIn(groups, vector), passes(groups, pairs)]).toEqual([true, true]);
  expect(pairTestOf(groups)).toBeDefined();
});

it("a word that has the stem of what it is written together with stands at one place, and at no other", () => {
  const { vector } = documentOf("", "Node-s are here, and far from them are trees");
  expect(['"node s are"', '"trees node"', '"far node"'].map((query) => isIn(groupsOf(query), vector))).toEqual([true, false, false]);
});

it("past the places that a vector keeps, a word may stand anywhere further on, and nowhere before", () => {
  const many = (word: string) => Array.from({ length: 100 }, (_, index) => `${word} x${index}`).join(" ");
  const found = (content: string, metadata: object, ...queries: string[]) => {
    const { vector } = documentOf("", content, metadata);
    return queries.map((query) => isIn(groupsOf(query), vector));
  };
  const tea = `red and ${many("tea")} green tea`;
  expect(found(tea, {}, '"green tea"', '"red tea"')).toEqual([true, false]);
  // What metadata have of it says nothing of the content, and of them all is known.
  expect(found(tea, { note: "tea; white" }, '"green tea"', '"red tea"', '"white tea"')).toEqual([true, false, false]);
  // Nor does another form of the word, of which every place is known.
  const resume = `${many("resume")} green resume ${many("x")} résumé`;
  expect(found(resume, {}, '"green résumé"')).toEqual([true]);
});

it("words of a phrase are taken as one language has them, by filters and by places", () => {
  const english = documentOf("", "The ship was running port and starboard all day, and all of the night it was there");
  const french = documentOf("", "Les enfants portaient des lampes vertes et ils chantaient dans la rue avec leurs parents");
  // "port" is what French makes of "portaient", and "run" what English makes of "running".
  const groups = ['"running portaient"', '"running port"', '"lampe verte"'].map(groupsOf);
  const tell = ({ vector, pairs }: typeof english) => groups.map((each) => [isIn(each, vector), passes(each, pairs)]);
  const [no, yes] = [
    [false, false],
    [true, true],
  ];
  expect(tell(english)).toEqual([no, yes, no]);
  expect(tell(french)).toEqual([no, no, yes]);
});

it("values of metadata, and title and text, make no pairs with each other", () => {
  const values = Array.from({ length: 100 }, (_, index) => `w${index}`);
  const { pairs } = documentOf(values[0] ?? "", values[1] ?? "", Object.fromEntries(values.slice(2).entries()));
  const passed = values.slice(1).filter((value, index) => passes(groupsOf(`"${values[index]} ${value}"`), pairs));
  expect(passed.length).toBeLessThan(40);
});

it("a context with too many different words has no filter, and one without words has one that nothing passes", () => {
  expect(documentOf("", Array.from({ length: 9_000 }, (_, index) => `w${index}`).join(" ")).pairs).toBeNull();
  const collector = new PairCollector();
  collector.clear();
  const filter = collector.filter();
  expect(filter?.every((byte) => byte === 0)).toBe(true);
  expect(mayHavePair(filter ?? Uint8Array.of(255), pairHashOf(1, 2))).toBe(false);
});
