import { type DecodedVector, decodeVector } from "./analysis/read-vector.js";
import type { Candidate, Row } from "./search-engine.js";
import { type Occurrences, occurrencesOf } from "./occurrences.js";
import { needsPlaces, type QueryGroup } from "./query-plan.js";
import { strengthOf, type Weights } from "./score.js";

/** A context in the order of an answer. */
export interface Ranked {
  row: Row;
  contextId: string;
  capturedAt: number;
  /** 0 to 1. */
  relevance: number;
  /** What only its text can tell. */
  doubts?: Doubts;
}

/** Groups that a context may have, and in which words may as well stand apart. */
export interface Doubts {
  /** It must have these, */
  all: readonly QueryGroup[];
  /** any of these, unless there are none, */
  any: readonly QueryGroup[];
  /** and none of these. */
  none: readonly QueryGroup[];
}

/** What a ranking ranks by. */
export interface RankingInput {
  groups: readonly QueryGroup[];
  /** What must not occur, as far as the index alone cannot tell. */
  excluded: readonly QueryGroup[];
  weights: Weights;
  /** Hash of the words of the query: a title of the same words is the best match there is. */
  titleHash: number;
}

/** Strengths closer than this are equal, and the newer context comes first: recency decides between equals, and no more. */
const step = 0.001;

/** Scores candidates of one query. */
export class Ranker {
  readonly #input: RankingInput;
  /** Of all words that are looked for, ascending, as numbers without a sign. */
  readonly hashes: readonly number[];

  constructor(input: RankingInput) {
    this.#input = input;
    const all = [...input.groups, ...input.excluded].flatMap(({ sequences }) => sequences.flat().flatMap(({ hashes }) => hashes));
    this.hashes = [...new Set(all)].sort((a, b) => (a >>> 0) - (b >>> 0));
  }

  /**
   * How well a context matches; undefined when it does not. `isWhole` says that the index knows it to have every group: then it must
   * have them where they are wanted; else any of them will do.
   */
  rank({ row, contextId, capturedAt, vector }: Candidate, isWhole: boolean): Ranked | undefined {
    const { groups, excluded, weights, titleHash } = this.#input;
    const read = decodeVector(vector, this.hashes);
    // Only what the index has said can be taken on trust.
    const decoded: DecodedVector = isWhole ? read : { ...read, isCut: false };
    const found: Array<Occurrences | undefined> = groups.map((group) => occurrencesOf(group, decoded));
    const isMatch = isWhole ? found.every((each) => each !== undefined) : found.some((each) => each !== undefined);
    if (!isMatch) return undefined;
    const against = excluded.map((group) => exclusionOf(group, read));
    if (against.includes("sure")) return undefined;
    const isTitle = titleHash !== 0 && read.titleHash === titleHash;
    const strength = isTitle ? 1 : Math.min(0.999, strengthOf(found, read.lengths, weights));
    const ranked = { row, contextId, capturedAt, relevance: rounded(strength) };
    // What is one word, the index has told.
    const sureness = groups.map((group, index) => found[index] && (found[index].isSure || !needsPlaces(group) ? "sure" : "unsure"));
    const unsure = groups.filter((_, index) => sureness[index] === "unsure");
    const doubts: Doubts = {
      all: isWhole ? unsure : [],
      any: isWhole || sureness.includes("sure") ? [] : unsure,
      none: excluded.filter((_, index) => against[index] === "unsure"),
    };
    return doubts.all.length + doubts.any.length + doubts.none.length > 0 ? { ...ranked, doubts } : ranked;
  }

  /** Whether a context that has none of the groups, as far as its words are known, may have one all the same: when not all are known. */
  isOpen({ vector }: Candidate): boolean {
    const read = decodeVector(vector, this.hashes);
    return read.isCut && !this.#input.excluded.some((group) => exclusionOf(group, read) === "sure");
  }
}

/**
 * Whether a context has an excluded group of words in a row; what is one word, the index has left out. A long context of which not each word
 * is known counts as one without it, unless one of the words is.
 */
function exclusionOf({ sequences, ...group }: QueryGroup, vector: DecodedVector): "sure" | "unsure" | undefined {
  const inRow = sequences.filter(
    (sequence) => sequence.length > 1 && sequence.some(({ hashes }) => hashes.some((hash) => vector.found.has(hash))),
  );
  const found = occurrencesOf({ ...group, sequences: inRow }, vector);
  return found && (found.isSure ? "sure" : "unsure");
}

/** Best first; among equals newest first, then by id. */
export function inOrder(ranked: readonly Ranked[]): Ranked[] {
  return ranked.toSorted(
    (a, b) =>
      b.relevance - a.relevance || b.capturedAt - a.capturedAt || (a.contextId < b.contextId ? -1 : Number(a.contextId > b.contextId)),
  );
}

/** In the steps of a relevance, and never nothing. */
export function rounded(strength: number): number {
  return Math.max(1, Math.round(strength / step)) / Math.round(1 / step);
}
