import { expect, it } from "vitest";
import { writtenContext } from "../../test/written-context.js";

/** Place of a word in FTS5's hash table (`fts5HashKey`) of 65,536. */
function placeOf(word: string): number {
  let place = 13;
  for (let at = word.length - 1; at >= 0; at--) place = ((place << 3) ^ place ^ word.charCodeAt(at)) % 65_536;
  return place;
}

function findWord(length: number, place: number): string {
  for (let number = 0; ; number++) {
    const word = `${number.toString(36).padStart(length - 1, "q")}1`;
    if (word.length === length && placeOf(word) === place) return word;
  }
}

it("indexes few of the words of different lengths that are chosen to collide", () => {
  const ends = [6, 7].map((length) => findWord(length, 12_345));
  // 16 characters that stand there twice leave the hash as it is.
  const starts = Array.from({ length: 64 }, (_, number) => number.toString(2).padStart(16, "0").replaceAll("0", "x").replaceAll("1", "y"));
  const words = ends.flatMap((end) => starts.map((start) => start + start + end));
  expect(new Set(words.map(placeOf))).toEqual(new Set([12_345]));
  const terms = writtenContext("ada", "c", { content: words.join(" ") }).search.content.split(" ");
  expect(terms.filter((term) => term !== ":")).toHaveLength(64);
});
