import { createHash } from "node:crypto";
import { storableText } from "../../formats.js";
import { anyTerm } from "../../search/index-terms.js";
import type { SearchDocument } from "../../search/search-document.js";
import type { IndexTerm, Match, Row } from "../../search/search-index.js";

/** A prefix has four characters at most: each lexeme of each row begins with it. */
const prefixes = 36 ** 4;
/** PostgreSQL's bound for the lexemes of a tsvector is 1 MiB; what does not fit is left out. The rest is for {@link placeLexemes}. */
const vectorBytesMax = 1_040_000;
/** PostgreSQL's bound for a lexeme is 2 KiB. */
const lexemeBytesMax = 2_000;
/** PostgreSQL keeps so many positions of a lexeme. */
const positionsMax = 255;
/** PostgreSQL's last position. Words past the others stand there, and so do forms: two that stand at one place make no phrase. */
const lastPosition = 16_383;
/** Fields are so far apart that no phrase goes from one to the next. */
const fieldGap = 8;

const weights = { title: 3, meta: 2, forms: 1, content: 0 } as const;

/**
 * What the lexemes of a user begin with, so that all of a user's postings are together in the index: letters and digits, after which
 * every term goes on with a sign. Two users may share it: each statement names the user as well.
 */
export function ownerPrefix(userId: string): string {
  return (createHash("sha256").update(userId).digest().readUInt32BE() % prefixes).toString(36);
}

/** Terms after which others may have their turn. */
const stepTerms = 1_024;

/** A document as a `tsvector` in PostgreSQL's binary form (`tsvectorrecv`). A page of 1 MiB takes some 50 ms. */
export function* toVector(prefix: string, document: SearchDocument): Generator<void, Uint8Array> {
  const vector = new VectorBuilder(prefix);
  // What comes first is kept when not everything fits.
  for (const terms of [document.filters, document.urlGrams]) for (const term of terms.split(" ")) vector.add(term);
  let position = 1;
  for (const field of ["title", "meta", "content"] as const) {
    if (document[field] === "") continue;
    for (const term of document[field].split(" ")) {
      // The one before the last stays free, so that nothing is followed by what stands at the last.
      vector.add(term, weights[field], position < lastPosition - 1 ? position : lastPosition);
      position++;
      if (position % stepTerms === 0) yield;
    }
    position += fieldGap;
  }
  for (const [index, term] of document.forms.split(" ").entries()) {
    vector.add(term, weights.forms, lastPosition);
    if (index % stepTerms === 0) yield;
  }
  return yield* vector.toBytes();
}

/** Collects lexemes with their positions, each of which is two bytes: two bits of weight and the place. */
class VectorBuilder {
  readonly #positions = new Map<IndexTerm, number[]>();
  #bytes = 0;

  readonly prefix: string;
  constructor(prefix: string) {
    this.prefix = prefix;
  }

  add(term: IndexTerm, weight = 0, position = 0): void {
    if (term.length < 2 && term !== anyTerm) return;
    let positions = this.#positions.get(term);
    if (!positions) {
      const bytes = this.prefix.length + Buffer.byteLength(term);
      // Besides its bytes a lexeme takes up to one to be even, and two for the number of positions.
      if (bytes > lexemeBytesMax || this.#bytes + bytes + 5 > vectorBytesMax) return;
      this.#bytes += bytes + 3;
      positions = [];
      this.#positions.set(term, positions);
    }
    if (position === 0 || positions.length === positionsMax || this.#bytes + 2 > vectorBytesMax) return;
    if (position === ((positions.at(-1) ?? 0) & lastPosition)) return;
    positions.push((weight << 14) | position);
    this.#bytes += 2;
  }

  *toBytes(): Generator<void, Uint8Array> {
    const bytes = Buffer.allocUnsafe(4 + this.#bytes + this.#positions.size);
    let at = bytes.writeUInt32BE(this.#positions.size);
    let written = 0;
    for (const [term, positions] of this.#positions) {
      at += bytes.write(this.prefix, at, "latin1");
      at += bytes.write(term, at, "utf8");
      at = bytes.writeUInt8(0, at);
      at = bytes.writeUInt16BE(positions.length, at);
      for (const position of positions) at = bytes.writeUInt16BE(position, at);
      if (++written % stepTerms === 0) yield;
    }
    return bytes.subarray(0, at);
  }
}

const quoted = (lexeme: string): string => `'${storableText(lexeme).replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;

/** How a phrase is written: as words in a row, which takes a look at the row, or as words that are all there, which the index knows. */
export type PhraseForm = "exact" | "loose";

/** A match among the user's contexts as text of a `tsquery`. */
export function toQuery(prefix: string, match: Match, phrases: PhraseForm = "exact"): string {
  if (typeof match === "string") return quoted(prefix + match);
  if ("prefix" in match) return `${quoted(prefix + match.prefix)}:*`;
  const list = (matches: readonly Match[], by: string): string => `(${matches.map((each) => toQuery(prefix, each, phrases)).join(by)})`;
  if ("phrase" in match) return list(match.phrase, phrases === "loose" || isUrlPhrase(match.phrase) ? " & " : " <-> ");
  if ("any" in match) return list(match.any, " | ");
  const all = list(match.all, " & ");
  // A row that has the words of an unwanted phrase may lack the phrase: only the exact form may leave it out.
  const none = phrases === "loose" ? match.none?.filter((each) => !hasPhrase(each)) : match.none;
  return none === undefined || none.length === 0 ? all : `(${all} & !${list(none, " | ")})`;
}

/** Whether a match says that words stand in a row. The index alone cannot tell. */
export function hasPhrase(match: Match): boolean {
  if (typeof match === "string" || "prefix" in match) return false;
  if ("phrase" in match) return match.phrase.length > 1 && !isUrlPhrase(match.phrase);
  return ("any" in match ? match.any : [...match.all, ...(match.none ?? [])]).some(hasPhrase);
}

/** Whether a match has the beginning of a term: the index reads every term that begins so. */
export function hasPrefix(match: Match): boolean {
  if (typeof match === "string" || "phrase" in match) return false;
  if ("prefix" in match) return true;
  return ("any" in match ? match.any : [...match.all, ...(match.none ?? [])]).some(hasPrefix);
}

/** Grams of a URL have no positions: all of them are looked for, and the URL itself is compared by the row's filter. */
const isUrlPhrase = (terms: readonly IndexTerm[]): boolean => terms.every((term) => term.startsWith("/"));

/** Rows of a bucket, and buckets of a large bucket, as powers of 2. */
const bucketBits = 10;
const largeBits = 5;
/** Buckets past which a range is named by large ones: each named bucket costs more than rows that are read in vain. */
const bucketsMax = 8;

/** Rows of the smallest range that has a lexeme. */
export const bucketRows = 1 << bucketBits;
export const largeBucketRows = bucketRows << largeBits;

/**
 * SQL of the lexemes of a row's bucket and large bucket, as a `tsvector`.
 * @param seq SQL of the row's number
 * @param prefix SQL of the user's prefix
 */
export const placeLexemes = (seq: string, prefix: string): string =>
  `array_to_tsvector(ARRAY[${prefix} || '+' || (${seq} >> ${bucketBits}), ${prefix} || '-' || (${seq} >> ${bucketBits + largeBits})])`;

/** The rows of a bucket, as text of a `tsquery`. */
export const bucketQuery = (prefix: string, bucket: number): string => `'${prefix}+${bucket}'`;

/** Rows that a user has: none lies outside. */
export interface RowRange {
  oldest: Row;
  newest: Row;
}

/** A part of a walk: rows from `low` on and before `high`. `query` names their buckets; null means all rows. */
export interface Step {
  query: string | null;
  low: Row;
  high: Row;
}

/** Buckets of the steps between the first and those of large buckets. */
const middleSteps = [5, 8];
/** Buckets of the first of two steps. */
const firstOfTwo = 16;

/**
 * The steps of a walk from the newest row to the oldest. The index finds rows in no order, so a step reads all its matches before the
 * next begins: steps begin short and grow, and a walk that soon has enough costs little, whatever lies behind.
 * @param isCostly whether the index reads much for every step, however short; then there are two of them
 */
export function stepsOf(prefix: string, { oldest, newest }: RowRange, isCostly = false): Step[] {
  const steps: Step[] = [];
  const middle = [...middleSteps];
  let high = newest + 1;
  // One to two buckets at first; after the middle to the beginning of a large bucket, then one of these, then twice as many each time.
  let rows = (isCostly ? firstOfTwo : 1) * bucketRows + (high % bucketRows || bucketRows);
  for (let large = 1; high > oldest;) {
    const low = Math.max(oldest, high - rows);
    steps.push({ query: low === oldest && high > newest ? null : rangeQuery(prefix, low, high), low, high });
    high = low;
    if (isCostly && high > oldest) return [...steps, { query: null, low: oldest, high }];
    const buckets = middle.shift();
    if (buckets !== undefined) rows = buckets * bucketRows;
    else if (high % largeBucketRows > 0) rows = high % largeBucketRows;
    else {
      rows = large * largeBucketRows;
      large *= 2;
    }
  }
  return steps;
}

/** Rows from `low` on and before `high`, and some beside them, as text of a `tsquery`. */
function rangeQuery(prefix: string, low: Row, high: Row): string {
  const isLarge = (high - low) / bucketRows > bucketsMax;
  const [sign, rows] = isLarge ? ["-", largeBucketRows] : ["+", bucketRows];
  const [first, last] = [Math.floor(low / rows), Math.floor((high - 1) / rows)];
  return Array.from({ length: last - first + 1 }, (_, index) => `'${prefix}${sign}${first + index}'`).join(" | ");
}
