import { millis } from "./context-columns.js";
import type { Statement } from "./pool.js";

/** Rows by which a large collection is measured. */
const measuredRows = 50_000;

/** The oldest and the newest row of the user; null without any. */
export const readRange: Statement = {
  name: "search_range",
  text: `SELECT min(seq)::float8 AS oldest, max(seq)::float8 AS newest FROM contexts WHERE "userId" = $1`,
};

/** Contexts counted as far as a bound, and the row at the bound, past which what lies behind is as dense. */
export const readSize: Statement = {
  name: "search_size",
  text: `SELECT count(*)::float8 AS counted, min(seq)::float8 AS low
    FROM (SELECT seq FROM contexts WHERE "userId" = $1 ORDER BY seq DESC LIMIT ${measuredRows}) c`,
};

export const readNth: Statement = {
  name: "search_nth",
  text: `SELECT seq::float8 AS row FROM contexts WHERE "userId" = $1 ORDER BY seq DESC OFFSET $2::bigint LIMIT 1`,
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

const newestText = (isFiltered: boolean): string => `SELECT r.seq::float8 AS row
    FROM ${steps} CROSS JOIN LATERAL (SELECT t.seq ${walked("$2::tsquery", isFiltered)} ORDER BY t.seq DESC LIMIT $3::bigint) r LIMIT $3::bigint`;

/** The newest `$3` rows of the query `$2`, newest first. */
export const newestRows: Statement = { name: "search_newest", text: newestText(false) };
export const newestFiltered: Statement = { name: "search_newest_filtered", text: newestText(true) };

// The driver reads every value as text, and this is its shortest.
const vector = `encode(v.vector, 'base64') AS vector`;

export const readCandidates: Statement = {
  name: "search_candidates",
  text: `SELECT v.seq::float8 AS row, v."contextId", ${millis("capturedAt")}, ${vector}
    FROM search_vectors v WHERE v."userId" = $1 AND v.seq = ANY ($2::bigint[])`,
};

export const readPage: Statement = {
  name: "search_page",
  text: `SELECT c.seq::float8 AS row, c."contextId", c.type, c.url, c.title, (extract(epoch FROM c."capturedAt") * 1000)::float8 AS "capturedAt",
      c."privacyLevel", c."contentFormat", c."plainText", CASE WHEN c."plainText" IS NULL THEN c.content ELSE '' END AS content, ${vector}
    FROM contexts c JOIN search_vectors v ON v."userId" = c."userId" AND v.seq = c.seq
    WHERE c."userId" = $1 AND c.seq = ANY ($2::bigint[])`,
};
