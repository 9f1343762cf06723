import { expect, it } from "vitest";
import { writtenContext } from "../../test/written-context.js";

const termsOf = (content: string) => writtenContext("ada", "c", { content }).search.content.split(" ");

/**
 * Different words that FTS5's hash (`fts5HashKey`, without a key) puts in one place: characters that stand 16 apart change places. A digit
 * keeps them from being stemmed. At most 65,536.
 */
function collidingWords(count: number): string[] {
  return Array.from({ length: count }, (_, number) => {
    const bits = Array.from({ length: 16 }, (_unused, place) => (number >> place) & 1);
    return `${bits.map((bit) => (bit ? "x" : "y")).join("")}${bits.map((bit) => (bit ? "y" : "x")).join("")}1`;
  });
}

it("indexes few of the words that are chosen to collide, and keeps all places", () => {
  const words = collidingWords(2_000);
  const terms = termsOf(`first ${words.join(" ")} last1`);
  expect(terms).toHaveLength(words.length + 2);
  expect([terms[0], terms.at(-1)]).toEqual([":first", ":last1"]);
  const indexed = terms.filter((term) => term !== ":");
  expect(indexed.length).toBeGreaterThan(10);
  expect(indexed.length).toBeLessThan(100);
});

it.each([20_000, 40_000])("indexes the first 32,768 words of %i different ones, wherever they come again", (count) => {
  const words = Array.from({ length: count }, (_, number) => `w${number.toString(36)}1`);
  const terms = termsOf(`${words.join(" ")} ${words[0]}`);
  expect([terms.length, terms.at(-1)]).toEqual([words.length + 1, `:${words[0]}`]);
  expect(terms.slice(0, 30_000)).toEqual([...words, words[0]].slice(0, 30_000).map((word) => `:${word}`));
  expect(new Set(terms.filter((term) => term !== ":")).size).toBeLessThanOrEqual(32_768);
});

/** The slot of a word in FTS5's hash table (`fts5HashKey`) of 65,536. */
function toHashSlot(word: string): number {
  let slot = 13;
  for (let at = word.length - 1; at >= 0; at--) slot = ((slot << 3) ^ slot ^ word.charCodeAt(at)) % 65_536;
  return slot;
}

function findWord(length: number, slot: number): string {
  for (let number = 0; ; number++) {
    const word = `${number.toString(36).padStart(length - 1, "q")}1`;
    if (word.length === length && toHashSlot(word) === slot) return word;
  }
}

it("indexes few of the words of different lengths that are chosen to collide", () => {
  const ends = [6, 7].map((length) => findWord(length, 12_345));
  // 16 characters that stand there twice leave the hash as it is.
  const starts = Array.from({ length: 64 }, (_, number) => number.toString(2).padStart(16, "0").replaceAll("0", "x").replaceAll("1", "y"));
  const words = ends.flatMap((end) => starts.map((start) => start + start + end));
  expect(new Set(words.map(toHashSlot))).toEqual(new Set([12_345]));
  expect(termsOf(words.join(" ")).filter((term) => term !== ":")).toHaveLength(64);
});

it.each(["host", "path"])("indexes few parts of a URL whose %s has thousands", (part) => {
  const parts = Array.from({ length: 1_500 }, (_, number) => (10 + (number % 26)).toString(36));
  const url = part === "host" ? `https://${parts.join(".")}/` : `https://site.test/${parts.join("/")}`;
  const terms = writtenContext("ada", "c", { url })
    .search.filters.split(" ")
    .filter((term) => term.startsWith("="));
  expect(terms.length).toBeGreaterThan(2);
  expect(terms.length).toBeLessThanOrEqual(64);
  expect(terms.filter((term) => term.length > 260)).toEqual([]);
});
