import { pairBits } from "../../search/analysis/pair-filter.js";
import type { Statement } from "./pool.js";
import { vectorColumn } from "./search-vectors.js";

/** The oldest and the newest row of the user; null without any. */
export const readRange: Statement = {
  name: "search_range",
  text: `SELECT min(seq)::float8 AS oldest, max(seq)::float8 AS newest FROM contexts WHERE "userId" = $1`,
};

/** When the first and the last of the user's contexts were captured; null without any. */
export const readCaptured: Statement = {
  name: "search_captured",
  text: `SELECT (extract(epoch FROM min("capturedAt")) * 1000)::float8 AS first, (extract(epoch FROM max("capturedAt")) * 1000)::float8 AS last
    FROM contexts WHERE "userId" = $1`,
};

/** The newest contexts, counted up to `$2`, and the oldest of them. */
export const measure: Statement = {
  name: "search_measure",
  text: `SELECT count(*)::float8 AS counted, min(seq)::float8 AS low
    FROM (SELECT seq FROM contexts WHERE "userId" = $1 ORDER BY seq DESC LIMIT $2::bigint) c`,
};

// What cannot be asked of the index is compared row by row. There is no index of rows here that the planner could prefer.
const walked = (match: string, isFiltered: boolean): string => `
    FROM search_terms t WHERE t."userId" = $1 AND t.terms::tsvector @@ (CASE WHEN s.query IS NULL THEN ${match} ELSE ${match} && s.query END)
      AND t.seq >= s.low AND t.seq < s.high${
        isFiltered
          ? ` AND t."capturedAt" >= to_timestamp($7::float8 / 1000) AND t."capturedAt" < to_timestamp($8::float8 / 1000) AND t.url LIKE $9`
          : ""
      }`;

/** Steps in their order, each of which is taken when the one before it has not found enough. */
const steps = `unnest($4::tsquery[], $5::bigint[], $6::bigint[]) AS s(query, low, high)`;

const countText = (isFiltered: boolean): string => `SELECT (
    SELECT count(*) FROM (SELECT 1 FROM ${steps} CROSS JOIN LATERAL (SELECT 1 ${walked("m.query", isFiltered)} OFFSET 0) r LIMIT $3::bigint) c
  )::float8 AS count FROM unnest($2::tsquery[]) WITH ORDINALITY AS m(query, place) ORDER BY m.place`;

/** For each of the queries `$2`, its rows counted up to `$3`. */
export const countRows: Statement = { name: "search_count", text: countText(false) };
export const countFiltered: Statement = { name: "search_count_filtered", text: countText(true) };

// One value with all the numbers: a row for each takes the driver several times as long.
const foundText = (isFiltered: boolean): string => `SELECT count(*)::float8 AS total,
      array_to_json((array_agg(f.seq))[1:${isFiltered ? "$10" : "$7"}::int]) AS rows
    FROM (SELECT r.seq FROM ${steps}
      CROSS JOIN LATERAL (SELECT t.seq ${walked("$2::tsquery", isFiltered)} ORDER BY t.seq DESC LIMIT $3::bigint) r LIMIT $3::bigint) f`;

/** How many rows the query `$2` has, up to `$3`, and as many as the last value says of the newest, newest first. */
export const foundRows: Statement = { name: "search_found", text: foundText(false) };
export const foundFiltered: Statement = { name: "search_found_filtered", text: foundText(true) };

/** The form of a test of pairs: lists, and pairs of each. */
export interface TestForm {
  lists: number;
  pairs: number;
}

/**
 * As {@link foundRows}, and of the rows only those that pass a test of pairs of this form; all count. The last values are the bytes and
 * the bits of its pairs, one after the other.
 */
export function foundByPairs({ lists, pairs }: TestForm, isFiltered: boolean): Statement {
  const [limit, bytes, masks] = (isFiltered ? [10, 11, 12] : [7, 8, 9]).map((number) => `$${number}`);
  const isSet = (at: number): string => `get_byte(t.pairs, (${bytes}::int[])[${at}] % length(t.pairs)) & (${masks}::int[])[${at}] <> 0`;
  const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
  const pair = (at: number): string =>
    numbers(pairBits)
      .map((bit) => isSet(pairBits * at + bit + 1))
      .join(" AND ");
  const list = (at: number): string =>
    `(${numbers(pairs)
      .map((index) => pair(at * pairs + index))
      .join(" OR ")})`;
  const passes = `CASE WHEN t.pairs IS NULL THEN true ELSE ${numbers(lists).map(list).join(" AND ")} END`;
  return {
    name: `search_found_${lists}x${pairs}_pairs${isFiltered ? "_filtered" : ""}`,
    text: `SELECT count(*)::float8 AS total,
      array_to_json((array_agg(f.seq) FILTER (WHERE f.passes))[1:${limit}::int]) AS rows
    FROM (SELECT r.seq, r.passes FROM ${steps} CROSS JOIN LATERAL (
        SELECT t.seq, ${passes} AS passes ${walked("$2::tsquery", isFiltered)} ORDER BY t.seq DESC LIMIT $3::bigint
      ) r LIMIT $3::bigint) f`,
  };
}

/**
 * The first of the rows `$2`, in their order, until their texts come to `$3` bytes; one at least, of those that are there. The size of a
 * text stands beside it: none is read that is not wanted.
 */
export const readPage: Statement = {
  name: "search_page",
  text: `SELECT c.seq::float8 AS row, c."contextId", c.type, c.url, c.title, (extract(epoch FROM c."capturedAt") * 1000)::float8 AS "capturedAt",
      c."privacyLevel", c."contentFormat", c."plainText", CASE WHEN c."plainText" IS NULL THEN c.content ELSE '' END AS content, ${vectorColumn("c.vector")}
    FROM (SELECT t.*, v.vector, p.place, sum(octet_length(coalesce(t."plainText", t.content))) OVER (ORDER BY p.place)
          - octet_length(coalesce(t."plainText", t.content)) AS before
        FROM unnest($2::bigint[]) WITH ORDINALITY AS p(seq, place) JOIN contexts t ON t."userId" = $1 AND t.seq = p.seq
          JOIN search_vectors v ON v."userId" = t."userId" AND v.seq = t.seq) c
    WHERE c.before < $3::bigint ORDER BY c.place`,
};
