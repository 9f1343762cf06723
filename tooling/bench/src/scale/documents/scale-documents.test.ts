import { expect, test } from "vitest";
import { ScaleDocuments } from "./scale-documents.ts";
import { readSourceText } from "./source-text.ts";

const documents = new ScaleDocuments(readSourceText());

test("a number's document is the same each time, about 5 KB, and no other's", () => {
  const some = Array.from({ length: 500 }, (_, number) => documents.document(number));
  expect(documents.document(7)).toEqual(some[7]);
  expect(new Set(some.map(({ url }) => url)).size).toBe(500);
  expect(new Set(some.map(({ content }) => content)).size).toBe(500);
  const mean = some.reduce((sum, { content }) => sum + content.length, 0) / 500;
  expect(mean).toBeGreaterThan(4_500);
  expect(mean).toBeLessThan(5_500);
});

test("there are always further words", () => {
  const words = new Set<string>();
  const grown = [500, 1_000, 2_000].map((end) => {
    for (let number = end / 2; number < end; number += 1) {
      for (const word of documents.document(number).content.match(/\p{L}+/gu) ?? []) words.add(word);
    }
    return words.size;
  });
  expect(grown[1]! - grown[0]!).toBeGreaterThan(1_500);
  expect(grown[2]! - grown[1]!).toBeGreaterThan(1_500);
});
