import { expect, test } from "vitest";
import { ndcg } from "./ndcg.ts";

test.each([
  ["all in their order", ["a", "b"], { a: 2, b: 1 }, 1],
  ["the wrong way round", ["b", "a"], { a: 2, b: 1 }, (1 + 2 / Math.log2(3)) / (2 + 1 / Math.log2(3))],
  ["one of two, second", ["x", "a"], { a: 1, b: 1 }, 1 / Math.log2(3) / (1 + 1 / Math.log2(3))],
  ["none", ["x"], { a: 1 }, 0],
  ["past the tenth place", ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "a"], { a: 1 }, 0],
  ["nothing to find", ["x"], { a: 0 }, 0],
])("nDCG of a list with %s", (_name, ids, judged, expected) => {
  expect(ndcg(ids, judged)).toBeCloseTo(expected, 12);
});
