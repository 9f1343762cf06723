import type { ContentFormat, PrivacyLevel } from "@periscope/schemas";
import type { TextSource } from "./plain-text.js";
import type { FoundContext } from "./search.store.js";

/** A row of the index. Rows count up in the order in which contexts arrived. */
export type Row = number;

/** A term of the search index, without the prefix of its owner: a sign for its kind, then what it says (see `index-terms.ts`). */
export type IndexTerm = string;

/**
 * Which of the user's contexts are meant: those that have a term, terms in a row, any term with a beginning, or a combination.
 * Lists are never empty.
 */
export type Match =
  | IndexTerm
  | { phrase: readonly IndexTerm[] }
  | { prefix: IndexTerm }
  | { any: readonly Match[] }
  | { all: readonly Match[]; none?: readonly Match[] };

/** What terms cannot say exactly and is compared row by row. */
export interface RowFilter {
  /** Captured then or later, in milliseconds since the epoch. */
  since?: number | undefined;
  /** Captured before. */
  until?: number | undefined;
  /** A wildcard over the whole URL, as `urlMatcher` reads it. */
  urlPattern?: string | undefined;
  extensionId?: string | undefined;
}

/** Contexts that are ranked again by their stored terms: the best by the engine's own ranking. */
export const rerankedMax = 100;

/** How many contexts a match means. */
export interface MatchCount {
  /** Counted from the newest, up to the maximum that was asked for. */
  count: number;
  /** The oldest that was counted; 0 without any. */
  oldest: Row;
}

/** What an index ranks first, and how many matches there are. */
export interface RankedRows {
  /** Best first by the engine's own ranking; newest first without words, and where all of them are ranked again. */
  rows: Row[];
  /** Matches, counted up to one past `limits.searchTotalMax`. */
  total: number;
  /** False where the engine looked at a part of the matches only. */
  totalIsExact: boolean;
}

export interface RankRequest {
  match: Match;
  filter?: RowFilter | undefined;
  /** What to rank by: matches and how much each tells (idf). Empty: newest first. */
  words: ReadonlyArray<{ match: Match; weight: number }>;
  limit: number;
}

/** What re-ranking needs of a row. */
export interface Candidate {
  row: Row;
  /** Milliseconds since the epoch. */
  capturedAt: number;
  /** As `encodeTerms` made it. */
  terms: Uint8Array;
}

/** Text that the snippets of one answer look through, in bytes: of contexts that come after as much, only the beginning is read. */
const pageBytesMax = 8 * 1024 * 1024;
/** Characters of such a beginning. */
export const beginningChars = 4_096;

/** A found context as a page of results shows it. */
export interface FoundRow extends Omit<FoundContext, "relevance" | "snippet"> {
  row: Row;
  /** Its text; the beginning of it where the contexts before have used up {@link pageBytesMax}. */
  source: TextSource;
}

/** A found context as an engine reads it. */
export interface ReadRow extends Omit<FoundRow, "source"> {
  contentFormat: ContentFormat;
  /** The content, or the plain text where that is stored. */
  text: string;
  /** Whether the text is the content, rather than the stored plain text. */
  isContent: boolean | 0 | 1;
  /** Of the whole text. */
  bytes: number;
}

/**
 * Reads rows in their order, so many at once. `read` answers the whole texts of rows that begin within the first `left` bytes, and of
 * others the beginning.
 */
export async function* readPage(
  rows: readonly Row[],
  atOnce: number,
  read: (some: readonly Row[], left: number) => Promise<ReadRow[]> | ReadRow[],
): AsyncGenerator<FoundRow> {
  let left = pageBytesMax;
  for (let at = 0; at < rows.length; at += atOnce)
    for (const { bytes, contentFormat, isContent, text, ...found } of await read(rows.slice(at, at + atOnce), left)) {
      left -= bytes;
      yield { ...found, source: { type: found.type, contentFormat, content: text, plainText: isContent ? null : text } };
    }
}

/**
 * What a search asks of an engine about one user's contexts at one moment. Every question is bounded by what it says, never by how many
 * contexts there are.
 */
export interface SearchIndex {
  /** When the first and the last of the user's contexts were captured, in milliseconds since the epoch; undefined without any. */
  capturedSpan(): Promise<{ first: number; last: number } | undefined>;
  /** For each match, how many contexts from the row `since` on it means, counted up to `max`. */
  count(matches: readonly Match[], max: number, since?: Row): Promise<MatchCount[]>;
  /** How many of the user's contexts have one of the levels, counted up to `max`. */
  size(levels: readonly PrivacyLevel[], max: number): Promise<number>;
  /** Finds and ranks with the engine's own index. */
  rank(request: RankRequest): Promise<RankedRows>;
  /** Stored terms of rows, in any order; rows that are gone are left out. */
  candidates(rows: readonly Row[]): Promise<Candidate[]>;
  /** When rows were captured, in any order; rows that are gone are left out. */
  times(rows: readonly Row[]): Promise<number[]>;
  /** What a page shows of rows, in their order, read in parts since texts can be large; rows that are gone are left out. */
  page(rows: readonly Row[]): AsyncIterable<FoundRow>;
}
