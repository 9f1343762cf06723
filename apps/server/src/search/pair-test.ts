import { pairHashOf } from "./analysis/pair-filter.js";
import type { PairTest } from "./search-engine.js";
import type { QueryGroup, Sequence } from "./query-plan.js";

/** Lists of a test: with three, one of 2,000 contexts passes that has none of the pairs. */
const listsMax = 3;
/** Pairs of a list. A word has several terms, of which any will do: one with more than these is left to the places. */
const pairsMax = 8;

/** What filters of pairs can tell of groups that a context must have all; undefined when that is nothing. */
export function pairTestOf(groups: readonly QueryGroup[]): PairTest | undefined {
  const lists = groups
    .flatMap(({ sequences }) => listsOf(sequences))
    .filter(({ length }) => length > 0 && length <= pairsMax)
    .toSorted((a, b) => a.length - b.length)
    .slice(0, listsMax);
  const longest = Math.max(...lists.map(({ length }) => length));
  if (lists.length === 0) return undefined;
  const length = 2 ** Math.ceil(Math.log2(longest));
  return lists.map((list) => Array.from({ length }, (_, index) => list[index] ?? list[0] ?? 0));
}

/** Lists of which each has a pair of any of the sequences. */
function listsOf(sequences: readonly Sequence[]): number[][] {
  const all = sequences.map(pairsIn);
  if (all.some(({ length }) => length === 0)) return [];
  const most = Math.max(...all.map(({ length }) => length));
  return Array.from({ length: most }, (_, index) => [...new Set(all.flatMap((lists) => lists[index % lists.length] ?? []))]);
}

/** The pairs of each two slots in a row: of their terms those that one language has together, since a context is of one. */
function pairsIn(sequence: Sequence): number[][] {
  return sequence.slice(1).flatMap((second, index) => {
    const first = sequence[index];
    if (!first || second.offset !== first.offset + 1 || first.isSingle || second.isSingle) return [];
    const areTogether = (one: number, two: number): boolean => ((first.languageBits[one] ?? 0) & (second.languageBits[two] ?? 0)) !== 0;
    return [first.hashes.flatMap((one, at) => second.hashes.flatMap((two, other) => (areTogether(at, other) ? pairHashOf(one, two) : [])))];
  });
}
