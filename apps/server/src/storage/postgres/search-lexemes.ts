import { createHash } from "node:crypto";
import { anyTerm } from "../../search/index-terms.js";
import type { Row, TermMatch } from "../../search/search-engine.js";

/** PostgreSQL's bound for the lexemes of a vector is 1 MiB, with their lengths; what is past this is left out. */
const vectorBytesMax = 1_000_000;

/** Rows of a bucket, and buckets of a large bucket, as powers of 2. */
const bucketBits = 11;
const largeBits = 5;
/** Buckets past which a range is named by large ones: each that is named costs more than the rows that are read for nothing. */
const bucketsMax = 8;

/** Rows of the smallest range that {@link rangeQuery} can name. */
export const bucketRows = 1 << bucketBits;

/** Rows of a large bucket. */
export const largeBucketRows = bucketRows << largeBits;

/**
 * What the lexemes of a user begin with, so that all of a user's stand together in the index: letters and digits, where every term
 * goes on with a sign. Two users may share it: each statement names the user as well.
 */
export function ownerPrefix(userId: string): string {
  return createHash("sha256").update(userId).digest().readUInt32BE().toString(36);
}

/** The terms of a context as text of a `tsvector`. They have neither quotes nor backslashes. */
export function vectorText(prefix: string, terms: string): string {
  const text = `'${prefix}${terms.replaceAll(" ", `' '${prefix}`)}'`;
  // Lexemes come with their quotes and a space, which are as much as PostgreSQL adds.
  if (Buffer.byteLength(text) <= vectorBytesMax) return text;
  const cut = Buffer.from(text).subarray(0, vectorBytesMax);
  return cut.subarray(0, cut.lastIndexOf(" ")).toString();
}

/** A match among the user's contexts as text of a `tsquery`. */
export function queryText(prefix: string, match: TermMatch): string {
  if (typeof match === "string") return `'${prefix}${match}'`;
  const list = (matches: readonly TermMatch[], by: string): string => `(${matches.map((each) => queryText(prefix, each)).join(by)})`;
  if ("any" in match) return list(match.any, " | ");
  const all = list(match.all, " & ");
  return match.none === undefined || match.none.length === 0 ? all : `(${all} & !${list(match.none, " | ")})`;
}

/**
 * SQL of the lexemes that say where a row stands: its number, its bucket and its large bucket, as text of a `tsvector`.
 * @param seq SQL of the row's number
 * @param prefix SQL of the user's prefix
 */
export const placeLexemes = (seq: string, prefix: string): string =>
  [`$' || ${seq}`, `+' || (${seq} >> ${bucketBits})`, `-' || (${seq} >> ${bucketBits + largeBits})`]
    .map((lexeme) => `' ''' || ${prefix} || '${lexeme}::text || ''''`)
    .join(" || ");

/**
 * SQL of the `tsquery` for one row. Not by `format`, whose answer PostgreSQL does not promise to be the same tomorrow: Citus takes no
 * such function in a DELETE.
 */
export const rowQuery = (seq: string, prefix: string): string => `('''' || ${prefix} || '$' || ${seq}::text || '''')::tsquery`;

/** The rows of a bucket, as text of a `tsquery`. */
export const bucketQuery = (prefix: string, bucket: number): string => `'${prefix}+${bucket}'`;

/** All rows, as text of a `tsquery`. */
export const anyQuery = (prefix: string): string => queryText(prefix, anyTerm);

/** Rows from `low` on and before `high`, and some beside them, as text of a `tsquery`. */
export function rangeQuery(prefix: string, low: Row, high: Row): string {
  const isLarge = (high - low) / bucketRows > bucketsMax;
  const [sign, rows] = isLarge ? ["-", largeBucketRows] : ["+", bucketRows];
  const [first, last] = [Math.floor(low / rows), Math.floor((high - 1) / rows)];
  return Array.from({ length: last - first + 1 }, (_, index) => `'${prefix}${sign}${first + index}'`).join(" | ");
}
