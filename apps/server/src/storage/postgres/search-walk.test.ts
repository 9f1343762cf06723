import * as fc from "fast-check";
import { expect, it } from "vitest";
import { bucketRows, largeBucketRows } from "./search-lexemes.js";
import { stepsOf, stepsToAny } from "./search-walk.js";

const bits = Math.log2(bucketRows);

/** Whether a step's query finds a row: by its bucket or by its large bucket. */
function finds(query: string | null, row: number): boolean {
  if (query === null) return true;
  return query.split(" | ").some((lexeme) => lexeme === `'u+${row >> bits}'` || lexeme === `'u-${row >> (bits + 5)}'`);
}

it("steps follow each other from the newest row to the oldest, and find every row of theirs", () => {
  const row = fc.integer({ min: 1, max: 3_000_000 });
  fc.assert(
    fc.property(row, row, fc.option(row), fc.option(row), row, (...[one, other, from, before, wanted]) => {
      const range = { oldest: Math.min(one, other), newest: Math.max(one, other) };
      const walk = { from: from ?? undefined, before: before ?? undefined };
      const steps = stepsOf("u", range, walk);
      const [low, high] = [Math.max(range.oldest, from ?? 0), Math.min(range.newest + 1, before ?? Infinity)];
      expect(steps.length).toBeLessThan(11);
      // Each begins where the one before it ended.
      expect([high, ...steps.map((step) => step.low)].slice(0, steps.length)).toEqual(steps.map((step) => step.high));
      expect(steps.at(-1)?.low ?? low).toBe(low);
      expect(steps.length > 0).toBe(low < high);
      for (const step of steps) {
        expect(step.high - step.low).toBeGreaterThan(0);
        expect((step.query ?? "").split(" | ").length).toBeLessThan(70);
        const own = [step.low, step.high - 1, wanted].filter((each) => each >= step.low && each < step.high);
        expect(own.filter((each) => !finds(step.query, each))).toEqual([]);
      }
    }),
    { numRuns: 1000 },
  );
  expect(stepsOf("u", { oldest: 1, newest: 3 * bucketRows }, {}).map((step) => step.high - step.low)).toEqual([
    bucketRows + 1,
    2 * bucketRows - 1,
  ]);
});

it("past the first steps come the rest of a large bucket, a large one, and twice as many each time", () => {
  const newest = 40 * largeBucketRows + 20 * bucketRows + 7;
  const rows = stepsOf("u", { oldest: 1, newest }, {}).map((step) => step.high - step.low);
  expect(rows).toEqual([
    bucketRows + 8,
    5 * bucketRows,
    8 * bucketRows,
    6 * bucketRows,
    largeBucketRows,
    2 * largeBucketRows,
    4 * largeBucketRows,
    8 * largeBucketRows,
    16 * largeBucketRows,
    9 * largeBucketRows - 1,
  ]);
});

it("a user of few contexts is looked through at once, and the index is not asked where they are", () => {
  expect(stepsOf("u", { oldest: 5, newest: 900 }, {})).toEqual([{ query: null, low: 5, high: 901 }]);
  expect(stepsOf("u", { oldest: 5, newest: 900 }, { from: 10 })).toEqual([{ query: "'u+0'", low: 10, high: 901 }]);
});

it("whether there is any row is asked of the newest, then of all others at once, where nothing bounds the walk", () => {
  const range = { oldest: 3, newest: 1_000_000 };
  const [first] = stepsOf("u", range, {});
  expect(stepsToAny("u", range, {})).toEqual([first, { query: null, low: 3, high: first?.low }]);
  expect(stepsToAny("u", range, { from: 10_000 })).toEqual(stepsOf("u", range, { from: 10_000 }));
  expect(stepsToAny("u", { oldest: 3, newest: 900 }, {})).toEqual(stepsOf("u", { oldest: 3, newest: 900 }, {}));
});
