import { limits } from "@periscope/schemas";
import type { WrittenContext } from "../../contexts/context.store.js";
import {
  beginningChars,
  type Candidate,
  type Match,
  type MatchCount,
  type RankedRows,
  type RankRequest,
  readPage,
  type ReadRow,
  type Row,
  type RowFilter,
  type SearchIndex,
} from "../../search/search-index.js";
import { createPause, withPauses } from "../../workers/pause.js";
import { arrayOf, binaryArray, millis } from "./context-statements.js";
import { type Query, statement, type Statement } from "./pool.js";
import { dialect } from "./sql.js";
import { hasPhrase, hasPrefix, ownerPrefix, placeLexemes, type RowRange, stepsOf, toQuery, toVector } from "./search-lexemes.js";

// The index is the table `search_terms`. Its statements hide the row's number in an expression wherever they walk: the planner would
// else read a user's rows in their order, and unpack the terms of each, where the words' own index is many times faster.

const removeTerms = statement(`DELETE FROM search_terms t USING contexts c WHERE c."userId" = $1 AND c."contextId" = ANY ($2::text[])
    AND t."userId" = $1 AND t.seq = c.seq`);

const addTerms = statement(`INSERT INTO search_terms ("userId", seq, "capturedAt", url, terms, stored)
    SELECT c."userId", c.seq, c."capturedAt", r.url, r.terms || ${placeLexemes("c.seq", "$6::text")}, r.stored
    FROM unnest($2::text[], $3::text[], $4::tsvector[], $5::bytea[]) AS r("contextId", url, terms, stored)
    JOIN contexts c ON c."userId" = $1 AND c."contextId" = r."contextId"`);

/** Takes contexts of a user out of the index; runs while they are there. */
export function removals(userId: string, contextIds: readonly string[]): Query[] {
  return contextIds.length === 0 ? [] : [[removeTerms, [userId, contextIds]]];
}

/** Puts contexts of a user into the index; runs when they are written, and while none of them is in it. */
export async function additions(userId: string, contexts: readonly WrittenContext[]): Promise<Query[]> {
  if (contexts.length === 0) return [];
  const prefix = ownerPrefix(userId);
  const pause = createPause();
  const vectors: Uint8Array[] = [];
  for (const { search } of contexts) vectors.push(await withPauses(toVector(prefix, search), pause));
  const arrays = [
    arrayOf("text[]", contexts, ({ contextId }) => contextId),
    arrayOf("text[]", contexts, ({ url }) => url.toLowerCase()),
    binaryArray("tsvector[]", vectors),
    arrayOf("bytea[]", contexts, ({ search }) => search.stored),
  ];
  return [[addTerms, [userId, ...arrays, prefix]]];
}

/** The oldest and the newest row of the user; null without any. */
export const readRange = statement(`SELECT min(seq)::float8 AS oldest, max(seq)::float8 AS newest FROM contexts WHERE "userId" = $1`);

/** When the user's first and last contexts were captured; null without any. */
const readCaptured =
  statement(`SELECT (extract(epoch FROM min("capturedAt")) * 1000)::float8 AS first, (extract(epoch FROM max("capturedAt")) * 1000)::float8 AS last
    FROM contexts WHERE "userId" = $1`);

const countLevels = statement(`SELECT count(*)::float8 AS size FROM
    (SELECT 1 FROM contexts WHERE "userId" = $1 AND "privacyLevel" = ANY ($2::text[]) LIMIT $3::bigint) c`);

/** Rows with all words of a phrase that are checked for the phrase itself: each is read and unpacked. */
const phraseRowsMax = 20_000;
/** Of more rows than that, and for counting, only this many of the newest are checked… */
const phraseRowsSome = 10_000;
/** …until this many contexts with the phrase are found. */
const phrasesEnough = 1_000;
/** Newest matches that are ranked: each is read and unpacked. */
const rankedMax = 2_000;
const totalMax = limits.searchTotalMax + 1;
/** Weights of content, forms, metadata and title. */
const fieldWeights = "{0.25, 0.1, 0.3, 1}";
/** Divides a rank by one and the logarithm of the length. */
const byLength = 1;

/**
 * SQL of a walk: the newest rows that have a match. Values `$1` to `$4` name the user and the steps, of which each is taken when those before
 * it have not found enough; `$5` to `$8` are the filter, if any.
 */
const walk = (match: string, limit: string, isFiltered: boolean): string => `SELECT r.seq, r.terms
  FROM unnest($2::tsquery[], $3::bigint[], $4::bigint[]) AS s(query, low, high) CROSS JOIN LATERAL (
    SELECT t.seq, t.terms FROM search_terms t
    WHERE t."userId" = $1 AND t.terms @@ (CASE WHEN s.query IS NULL THEN ${match} ELSE ${match} && s.query END)
      AND t.seq + 0 >= s.low AND t.seq + 0 < s.high${
        isFiltered
          ? ` AND t."capturedAt" >= ${dialect.time("$5")} AND t."capturedAt" < ${dialect.time("$6")} AND t.url LIKE $7
            AND ($8::text IS NULL OR EXISTS (SELECT 1 FROM contexts c WHERE c."userId" = $1 AND c.seq = t.seq AND c."extensionId" = $8))`
          : ""
      } ORDER BY t.seq + 0 DESC LIMIT ${limit}
  ) r LIMIT ${limit}`;

/** For each match, given as its loose form and, where that says less, its exact one: rows up to `$7`, and the oldest of them. */
const countRows =
  statement(`SELECT c.* FROM unnest($5::tsquery[], $6::tsquery[]) WITH ORDINALITY AS m(loose, exact, place) CROSS JOIN LATERAL (
      SELECT count(*)::float8 AS count, coalesce(min(f.seq), 0)::float8 AS oldest FROM (
        SELECT w.seq FROM (${walk("m.loose", `CASE WHEN m.exact IS NULL THEN $7::bigint ELSE ${phraseRowsSome} END`, false)}) w
        WHERE m.exact IS NULL OR w.terms @@ m.exact LIMIT $7::bigint) f
    ) c ORDER BY m.place`);

/**
 * Finds the match `$a`, if `isPhrase` as far as rows have its exact form, and ranks the newest. One value with all the numbers: a row for
 * each takes the driver several times as long. `setweight` changes nothing, but unpacks the terms once for all words.
 */
function rankRows(isFiltered: boolean, isPhrase: boolean, isRanked: boolean): Statement {
  let place = isFiltered ? 8 : 4;
  const [match, limit] = [`$${++place}::tsquery`, `$${++place}::bigint`];
  const dependingOnRows = (past: number, upTo: number) =>
    `(SELECT CASE WHEN count(*) > ${phraseRowsMax} THEN ${past} ELSE ${upTo} END FROM looked)`;
  const found = isPhrase
    ? `(SELECT seq, terms FROM looked LIMIT ${dependingOnRows(phraseRowsSome, phraseRowsMax)}) l
        WHERE terms @@ $${++place}::tsquery LIMIT ${dependingOnRows(phrasesEnough, totalMax)}`
    : `looked LIMIT ${totalMax}`;
  const words = isRanked ? `unnest($${++place}::tsquery[], $${++place}::float8[]) AS w(query, weight)` : "";
  const rows = isRanked
    ? `SELECT seq, row_number() OVER (ORDER BY score DESC, seq DESC) AS place FROM (
          SELECT f.seq, (SELECT sum(w.weight * ts_rank('${fieldWeights}', f.terms, w.query, ${byLength})) FROM ${words}) AS score
          FROM (SELECT seq, setweight(terms, 'D', '{}') AS terms FROM found LIMIT ${rankedMax}) f) r
        UNION ALL SELECT seq, ${rankedMax} + row_number() OVER () FROM (SELECT seq FROM found OFFSET ${rankedMax}) f`
    : `SELECT seq, row_number() OVER () AS place FROM found`;
  return statement(`WITH looked AS MATERIALIZED (${walk(match, String(isPhrase ? phraseRowsMax + 1 : totalMax), isFiltered)}),
      found AS MATERIALIZED (SELECT seq, terms FROM ${found})
      SELECT (SELECT count(*) FROM looked)::float8 AS looked, (SELECT count(*) FROM found)::float8 AS total,
        array_to_json(ARRAY(SELECT seq FROM (${rows}) o ORDER BY place LIMIT ${limit})) AS rows`);
}

const readCandidates = statement(`SELECT seq::float8 AS row, ${millis("capturedAt")}, encode(stored, 'base64') AS terms
    FROM search_terms WHERE "userId" = $1 AND seq = ANY ($2::bigint[])`);

const readTimes = statement(`SELECT (extract(epoch FROM "capturedAt") * 1000)::float8 AS at
    FROM search_terms WHERE "userId" = $1 AND seq = ANY ($2::bigint[])`);

/** Rows `$2` in their order. Of those after the first `$3` bytes of text, only the beginning is read; sizes are known without reading. */
const readRows =
  statement(`SELECT c.seq::float8 AS row, c."contextId", c.type, c.url, c.title, ${millis("capturedAt")}, ${millis("writtenAt")}, c."privacyLevel",
      c."contentFormat", c."plainText" IS NULL AS "isContent", c.bytes::float8 AS bytes,
      CASE WHEN c.before < $3::bigint THEN coalesce(c."plainText", c.content) ELSE left(coalesce(c."plainText", c.content), ${beginningChars}) END AS text
    FROM (SELECT s.*, sum(s.bytes) OVER (ORDER BY s.place) - s.bytes AS before
        FROM (SELECT t.*, p.place, octet_length(coalesce(t."plainText", t.content)) AS bytes
            FROM unnest($2::bigint[]) WITH ORDINALITY AS p(seq, place) JOIN contexts t ON t."userId" = $1 AND t.seq = p.seq) s) c
    ORDER BY c.place`);

/** Rows of a page that are asked for at once. */
const pageRowsMax = 250;

/** Runs a statement within the search's transaction. */
export type Ask = <RowType extends object>(statement: Statement, values: readonly unknown[]) => Promise<RowType[]>;

/** A user's contexts, as the transaction of `ask` sees them. */
export function openIndex(ask: Ask, userId: string, range: RowRange): SearchIndex {
  const prefix = ownerPrefix(userId);
  const query = (match: Match) => toQuery(prefix, match);
  const loose = (match: Match) => toQuery(prefix, match, "loose");
  const walkValues = (matches: readonly Match[], oldest = range.oldest): unknown[] => {
    const steps = stepsOf(prefix, { ...range, oldest }, matches.some(hasPrefix));
    return [userId, steps.map((step) => step.query), steps.map(({ low }) => low), steps.map(({ high }) => high)];
  };
  return {
    async capturedSpan() {
      const [{ first, last } = { first: null, last: null }] = await ask<{ first: number | null; last: number | null }>(readCaptured, [
        userId,
      ]);
      return first === null || last === null ? undefined : { first, last };
    },

    async count(matches, max, since = range.oldest) {
      if (matches.length === 0) return [];
      const exact = matches.map((match) => (hasPhrase(match) ? query(match) : null));
      return await ask<MatchCount>(countRows, [...walkValues(matches, since), matches.map(loose), exact, max]);
    },

    async size(levels, max) {
      const [answer] = await ask<{ size: number }>(countLevels, [userId, levels, max]);
      return answer?.size ?? 0;
    },

    async rank({ match, filter, words, limit }: RankRequest): Promise<RankedRows> {
      const isPhrase = hasPhrase(match);
      const values = walkValues([match]);
      if (filter) values.push(...filterValues(filter));
      values.push(loose(match), limit);
      if (isPhrase) values.push(query(match));
      if (words.length > 0)
        values.push(
          words.map((word) => query(word.match)),
          words.map(({ weight }) => weight),
        );
      const statement = rankRows(filter !== undefined, isPhrase, words.length > 0);
      const [answer] = await ask<{ looked: number; total: number; rows: Row[] }>(statement, values);
      const { looked, total, rows } = answer ?? { looked: 0, total: 0, rows: [] };
      return { rows, total, totalIsExact: !isPhrase || looked <= phraseRowsMax };
    },

    async candidates(rows) {
      if (rows.length === 0) return [];
      const read = await ask<Omit<Candidate, "terms"> & { terms: string }>(readCandidates, [userId, rows]);
      return read.map((candidate) => ({ ...candidate, terms: Buffer.from(candidate.terms, "base64") }));
    },

    async times(rows) {
      return (await ask<{ at: number }>(readTimes, [userId, rows])).map(({ at }) => at);
    },

    page: (rows) => readPage(rows, pageRowsMax, (some, left) => ask<ReadRow>(readRows, [userId, some, left])),
  };
}

function filterValues({ since = -Infinity, until = Infinity, urlPattern, extensionId }: RowFilter): unknown[] {
  return [since, until, urlPattern === undefined ? "%" : toLike(urlPattern), extensionId ?? null];
}

/** A substring, or a wildcard over the whole URL when it has a star; of the URL in small letters. */
function toLike(pattern: string): string {
  const escaped = pattern.toLowerCase().replace(/[\\%_]/g, "\\$&");
  return escaped.includes("*") ? escaped.replaceAll("*", "%") : `%${escaped}%`;
}
