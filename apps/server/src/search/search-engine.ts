import type { ContextType, PrivacyLevel } from "@periscope/schemas";
import type { PairHash } from "./analysis/pair-filter.js";
import type { IndexTerm } from "./index-terms.js";
import type { Samples } from "./known-samples.js";

/** A row of the index: the order in which contexts arrived. */
export type Row = number;

/** Which contexts of the user are meant, by the terms that they have. Lists are never empty. */
export type TermMatch = IndexTerm | { any: readonly TermMatch[] } | { all: readonly TermMatch[]; none?: readonly TermMatch[] };

/** What the terms cannot say exactly, and is looked up in each context. */
export interface RowFilter {
  /** Captured then or later, in milliseconds since the epoch. */
  since?: number | undefined;
  /** Captured before. */
  until?: number | undefined;
  /** As `urlMatcher` means it. */
  urlPattern?: string | undefined;
}

/**
 * What filters of pairs are asked: of each list, a context may have one pair at least, as `mayHavePair` says. All lists have the same
 * length, and there are few of both, so that the questions of searches are alike.
 */
export type PairTest = ReadonlyArray<readonly PairHash[]>;

/** Bounds of a walk over the index; rows arrive in order, so the newest are those of the highest number. */
export interface Walk {
  filter?: RowFilter | undefined;
  /** Only rows from this one on. */
  from?: Row | undefined;
  /** Only rows before this one. */
  before?: Row | undefined;
}

/** A walk of which the rows are wanted that may have some pairs. */
export interface TestedWalk extends Walk {
  test?: PairTest | undefined;
}

export interface Candidate {
  row: Row;
  contextId: string;
  capturedAt: number;
  /** As `searchDocument` made it, or what `decodeVector` needs of it for the words that were asked for. */
  vector: Uint8Array;
}

/** A found context as a page shows it. */
export interface FoundRow {
  row: Row;
  contextId: string;
  type: ContextType;
  url: string;
  title: string;
  capturedAt: number;
  privacyLevel: PrivacyLevel;
  /** Plain text of the content. */
  text: string;
  /** As `searchDocument` made it, or its header. */
  vector: Uint8Array;
}

/** What a walk has found. */
export interface Found {
  /** The newest rows, newest first. */
  rows: Row[];
  /** How many there are, as far as they were counted. */
  total: number;
}

type Awaitable<T> = T | Promise<T>;

/**
 * What a search asks of an engine about one user's contexts at one moment. Each question is bounded by what it says, never by how
 * many contexts there are; what it costs is the engine's to keep so. Ranking is not an engine's business. Questions that do not need
 * each other's answers are asked together, so that an engine across a network can send them at once.
 */
export interface SearchSnapshot {
  /** Whether it has the times of contexts at hand where it walks, so that to compare them costs next to nothing. */
  readonly readsTimes: boolean;
  /** What earlier searches have found out. */
  readonly samples: Samples;
  /** How many contexts the user has; an estimate within a tenth will do. */
  size(): Awaitable<number>;
  /** When the first and the last of the user's contexts were captured; undefined when there are none. */
  captured(): Awaitable<{ first: number; last: number } | undefined>;
  /** The row of the user's `n`th newest context, counted from 1; undefined when there are fewer. */
  nthNewest(n: number): Awaitable<Row | undefined>;
  /** For each match, how many contexts it means, counted up to `max`. */
  count(matches: readonly TermMatch[], max: number, walk?: Walk): Awaitable<number[]>;
  /**
   * The newest rows up to `limit`, and how many there are, counted up to `max`, which is no less. With a test, those of the newest `max`
   * that pass it, up to `limit`, and one without a filter passes; what does not pass counts as well, and once there are `limit` rows the
   * total is as good as `max`.
   */
  found(match: TermMatch, limit: number, max: number, walk?: TestedWalk): Awaitable<Found>;
  /** The newest rows, newest first. */
  newest(match: TermMatch, limit: number, walk?: Walk): Awaitable<Row[]>;
  /**
   * What ranking by words needs of rows, in any order; those that are gone are left out. `hashes` are those of the words, ascending, as numbers
   * without a sign; `all` when it is not known yet which.
   */
  candidates(rows: readonly Row[], hashes: readonly number[] | "all"): Awaitable<Candidate[]>;
  /**
   * What a page shows of rows, in their order; those that are gone are left out. Read in parts as it is walked, since texts can be large:
   * whoever keeps none holds few of them at a time.
   */
  page(rows: readonly Row[]): Iterable<FoundRow> | AsyncIterable<FoundRow>;
  /** Called in the midst of long work, by which an engine without a thread for searches lets others run, and ends what has no time left. */
  breathe?(): Awaitable<void>;
}
