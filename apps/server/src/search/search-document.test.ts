import { expect, it } from "vitest";
import { collidingWords } from "../../test/colliding-words.js";
import { writtenContext } from "../../test/written-context.js";

const termsOf = (content: string) => writtenContext("ada", "c", { content }).search.content.split(" ");

it("indexes few of the words that are chosen to collide, and leaves the others at their places", () => {
  const words = collidingWords(2_000);
  const terms = termsOf(`first ${words.join(" ")} last1`);
  expect(terms).toHaveLength(words.length + 2);
  expect([terms[0], terms.at(-1)]).toEqual([":first", ":last1"]);
  const indexed = terms.filter((term) => term !== ":");
  expect(indexed.length).toBeGreaterThan(10);
  expect(indexed.length).toBeLessThan(100);
});

it("indexes every word of a page of 20,000 different ones", () => {
  const words = Array.from({ length: 20_000 }, (_, number) => `w${number.toString(36)}1`);
  expect(termsOf(words.join(" "))).toEqual(words.map((word) => `:${word}`));
});

it("indexes the first 32,768 different words of a page, wherever they come again", () => {
  const words = Array.from({ length: 40_000 }, (_, number) => `w${number.toString(36)}1`);
  const terms = termsOf(`${words.join(" ")} ${words[0]}`);
  expect(terms).toHaveLength(words.length + 1);
  expect(terms.at(-1)).toBe(`:${words[0]}`);
  expect(new Set(terms.filter((term) => term !== ":")).size).toBeLessThanOrEqual(32_768);
  expect(terms.slice(0, 30_000)).toEqual(words.slice(0, 30_000).map((word) => `:${word}`));
});
