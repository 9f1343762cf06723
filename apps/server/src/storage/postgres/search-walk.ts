import type { Row, Walk } from "../../search/search-engine.js";
import { bucketRows, largeBucketRows, rangeQuery } from "./search-lexemes.js";

/** How much longer than the one before a step is, once it is of large buckets. */
const growth = 4;

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
 * before the next begins: steps begin short and grow, and a walk that has its rows early costs little, whatever lies behind.
 * Each names few buckets: with thirty of them, the index takes four times as long as to read all that the words have.
 */
export function stepsOf(prefix: string, { oldest, newest }: RowRange, { from = oldest, before = newest + 1 }: Walk): Step[] {
  const steps: Step[] = [];
  const end = Math.max(from, oldest);
  let high = Math.min(before, newest + 1);
  // Up to two buckets at first, then one or two large ones, then four times as many, each from a bucket's beginning on.
  let rows = bucketRows + (high % bucketRows || bucketRows);
  for (let large = 1; high > end; large *= growth) {
    const low = Math.max(end, high - rows);
    const isAll = low <= oldest && high > newest;
    steps.push({ query: isAll ? null : rangeQuery(prefix, low, high), low, high });
    high = low;
    rows = large * largeBucketRows + (high % largeBucketRows);
  }
  return steps;
}
