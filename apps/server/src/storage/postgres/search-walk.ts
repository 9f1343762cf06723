import type { Row, Walk } from "../../search/search-engine.js";
import { bucketRows, largeBucketRows, rangeQuery } from "./search-lexemes.js";

/**
 * Buckets of the steps between the first and those of large buckets. A word that most contexts have is then counted as far as it goes
 * without a large bucket, of which all rows would be read; and few are named that a rarer word pays for.
 */
const middleSteps = [5, 8];
/** How much longer than the one before a step is, once it is of large buckets. */
const growth = 2;

/** Rows that a user has: none lies outside. */
export interface RowRange {
  oldest: Row;
  newest: Row;
}

/** A part of a walk: rows from `low` on and before `high`, which `query` narrows down; null when that would leave nothing out. */
export interface Step {
  query: string | null;
  low: Row;
  high: Row;
}

/**
 * The steps of a walk from the newest row to the oldest. An index finds rows in no order, so all that match within a step are read
 * before the next begins: steps begin short and grow from there, and a walk that has its rows early costs little, whatever lies behind.
 * Each names few buckets: with thirty of them, the index takes four times as long as to read all that the words have.
 */
export function stepsOf(prefix: string, { oldest, newest }: RowRange, { from = oldest, before = newest + 1 }: Walk): Step[] {
  const steps: Step[] = [];
  const end = Math.max(from, oldest);
  let high = Math.min(before, newest + 1);
  const middle = [...middleSteps];
  // Up to two buckets at first; once the middle is done, to the beginning of a large one, then one of these, then twice as many each time.
  let rows = bucketRows + (high % bucketRows || bucketRows);
  for (let large = 1; high > end;) {
    const low = Math.max(end, high - rows);
    const isAll = low <= oldest && high > newest;
    steps.push({ query: isAll ? null : rangeQuery(prefix, low, high), low, high });
    high = low;
    const buckets = middle.shift();
    if (buckets !== undefined) {
      rows = buckets * bucketRows;
      continue;
    }
    const begun = high % largeBucketRows;
    rows = begun || large * largeBucketRows;
    if (begun === 0) large *= growth;
  }
  return steps;
}

/** The steps of a walk that wants to know whether there is any row, and not which: what is not among the newest is looked for at once. */
export function stepsToAny(prefix: string, range: RowRange, walk: Walk): Step[] {
  const [first, ...others] = stepsOf(prefix, range, walk);
  if (!first || others.length === 0 || walk.from !== undefined) return first ? [first, ...others] : [];
  return [first, { query: null, low: range.oldest, high: first.low }];
}
