import { limits } from "@periscope/schemas";
import type pg from "pg";
import type { ReadScope, StoredContext } from "../../contexts/context.store.js";
import { unavailable } from "../../domain-error.js";
import { excerptTextOf } from "../../search/plain-text.js";
import type { SearchExpression, SearchTerm } from "../../search/search-expression.js";
import type { FoundContext, FoundPage, SearchRequest, SearchStore } from "../../search/search.store.js";
import { snippetOf, type WantedTerms } from "../../search/snippet.js";
import { stemOf } from "../../search/stem.js";
import { millis } from "./context-columns.js";
import { Conditions } from "./context-store.js";
import { isCancelled } from "./database-gone.js";
import type { Connection } from "./pool.js";
import { Slots } from "./slots.js";

export interface PostgresSearchOptions {
  /** How long one search may run, in milliseconds; then the database cancels it. */
  timeoutMs: number;
  /** Told of each search that ran out of its time. */
  onTimeout: () => void;
  /** Searches that run at once; others wait. */
  slots: number;
}

const waitingMax = 100;

/** Matches that are ranked at most, the newest ones; and words of a query that are counted. */
const candidatesMax = 1_000;
const groupsMax = 32;

/** Full-text search by an index of words. The database itself cancels a search that takes too long, so that nothing goes on behind it. */
export function createPostgresSearch(pool: pg.Pool, { timeoutMs, onTimeout, slots: slotCount }: PostgresSearchOptions): SearchStore {
  const slots = new Slots(slotCount, waitingMax);
  return {
    search: (scope, request) =>
      slots.run(scope.userId, async () => {
        const connection = await pool.connect();
        let broken: Error | undefined;
        try {
          const opening = [connection.query("BEGIN READ ONLY"), connection.query(`SET LOCAL statement_timeout = ${timeoutMs}`)];
          const page = Promise.all(opening).then(() => searchIn(connection, scope, request));
          return await page;
        } catch (error) {
          if (!isCancelled(error)) throw error;
          onTimeout();
          throw unavailable("The search took too long. Use fewer or rarer words, or a narrower time range.", 1, error);
        } finally {
          await connection.query("ROLLBACK").catch((error: Error) => (broken = error));
          connection.release(broken);
        }
      }),
  };
}

interface Ranked {
  sql: string;
  values: readonly unknown[];
  total: number;
  wanted: WantedTerms;
}

async function searchIn(connection: Connection, scope: ReadScope, request: SearchRequest): Promise<FoundPage> {
  const { expression } = request;
  const ranked = expression ? await rankWords(connection, scope, request, expression) : await newestFirst(connection, scope, request);
  const { sql, values, total, wanted } = ranked;
  const found = {
    results: [] as FoundContext[],
    total: Math.min(total, limits.searchTotalMax),
    totalIsExact: total <= limits.searchTotalMax,
  };
  if (total === 0) return found;
  const { rows } = await connection.query<PageRow>(
    `SELECT c."contextId", type, url, title, ${millis("capturedAt")}, "privacyLevel", "contentFormat", "plainText",
      CASE WHEN "plainText" IS NULL THEN content ELSE '' END AS content, r.relevance
    FROM (SELECT "contextId", relevance, place FROM (${sql}) ranked) r JOIN contexts c ON c."userId" = $1 AND c."contextId" = r."contextId" ORDER BY r.place`,
    [...values],
  );
  found.results = rows.map(({ contentFormat, plainText, content, ...row }) => {
    const text = plainText ?? excerptTextOf(contentFormat, content);
    return { ...row, snippet: snippetOf(text, wanted, limits.snippetCharsMax) };
  });
  return found;
}

type PageRow = Omit<FoundContext, "snippet"> & Pick<StoredContext, "contentFormat" | "plainText" | "content">;

async function rankWords(
  connection: Connection,
  scope: ReadScope,
  request: SearchRequest,
  { all, none }: SearchExpression,
): Promise<Ranked> {
  const excluded = none.map((words) => ` & !${phrase(words)}`).join("");
  const groups = all.slice(0, groupsMax).map((terms) => ({ terms, sql: `(${terms.map(phrase).join(" | ")})` }));
  const everything = `(${groups.map(({ sql }) => sql).join(" & ")})${excluded}`;
  const counted = await count(connection, scope, request, everything);
  if (counted > 0 || groups.length === 1)
    return ranking(scope, request, { match: everything, total: counted, groups: groups.map((group) => ({ ...group, weight: 1 })) });

  const contexts = await count(connection, scope, request, undefined);
  const weighed = [];
  for (const group of groups) {
    const found = await count(connection, scope, request, `${group.sql}${excluded}`);
    weighed.push({ ...group, found, weight: Math.log(1 + (Math.max(contexts - found, 0) + 0.5) / (found + 0.5)) });
  }
  const wanted = weighed.filter(({ found }) => found > 0);
  if (wanted.length === 0) return { sql: "", values: [], total: 0, wanted };
  const match = `(${wanted.map(({ sql }) => sql).join(" | ")})${excluded}`;
  const total = await count(connection, scope, request, match);
  const ideal = weighed.reduce((sum, { weight }) => sum + weight, 0);
  return ranking(scope, request, { match, total, groups: wanted, ideal });
}

interface Ranking {
  match: string;
  total: number;
  groups: ReadonlyArray<{ terms: readonly SearchTerm[]; sql: string; weight: number }>;
  /** The worth of all words, those among them that nothing holds. */
  ideal?: number;
}

/** Each group of words is worth its rarity times how strongly the context holds it, from 0 to 1. */
function ranking(scope: ReadScope, request: SearchRequest, { match, total, groups, ideal }: Ranking): Ranked {
  const query = conditions(scope, request, match);
  const worth = ideal ?? groups.reduce((sum, { weight }) => sum + weight, 0);
  const parts = groups.map(({ sql, weight }) => `${weight / worth} * ts_rank('{.5,.5,.5,1}', m.words, ${query.value(sql)}::tsquery, 1|32)`);
  const score = `least(1, greatest(0.0001, round((${parts.join(" + ")})::numeric, 4)))::float8`;
  const matches = `SELECT "contextId", "capturedAt", words FROM contexts WHERE ${query.sql} ORDER BY "capturedAt" DESC LIMIT ${candidatesMax}`;
  const order = `ORDER BY relevance DESC, "capturedAt" DESC, "contextId"`;
  const sql = `SELECT *, row_number() OVER (${order}) AS place
    FROM (SELECT m."contextId", m."capturedAt", ${score} AS relevance FROM (${matches}) m) s ${order} LIMIT ${request.limit} OFFSET ${request.offset}`;
  return { sql, values: query.values, total, wanted: groups };
}

async function newestFirst(connection: Connection, scope: ReadScope, request: SearchRequest): Promise<Ranked> {
  const query = conditions(scope, request, undefined);
  const order = `ORDER BY "capturedAt" DESC, "contextId"`;
  const sql = `SELECT "contextId", 1::float8 AS relevance, row_number() OVER (${order}) AS place FROM contexts WHERE ${query.sql}
    ${order} LIMIT ${request.limit} OFFSET ${request.offset}`;
  return { sql, values: query.values, total: await count(connection, scope, request, undefined), wanted: [] };
}

/** Matches counted up to one past the bound. */
async function count(connection: Connection, scope: ReadScope, request: SearchRequest, match: string | undefined): Promise<number> {
  const query = conditions(scope, request, match);
  const sql = `SELECT count(*)::int AS total FROM (SELECT 1 FROM contexts WHERE ${query.sql} LIMIT ${limits.searchTotalMax + 1}) m`;
  const { rows } = await connection.query<{ total: number }>(sql, query.values);
  return rows[0]?.total ?? 0;
}

function conditions(scope: ReadScope, request: SearchRequest, match: string | undefined): Conditions {
  const { type, privacyLevel, startTime, endTime, urlPattern } = request;
  const query = new Conditions("search", scope);
  if (match !== undefined) query.add("", (value) => `words @@ ${value}::tsquery`, match);
  if (type !== undefined) query.add("", (value) => `type = ${value}`, type);
  if (privacyLevel !== undefined) query.add("", (value) => `"privacyLevel" = ${value}`, privacyLevel);
  if (startTime !== undefined) query.add("", (value) => `"capturedAt" >= to_timestamp(${value}::float8 / 1000)`, startTime);
  if (endTime !== undefined) query.add("", (value) => `"capturedAt" < to_timestamp(${value}::float8 / 1000)`, endTime);
  if (urlPattern !== undefined) query.add("", (value) => `lower(url COLLATE "und-x-icu") LIKE ${value}`, likeOf(urlPattern));
  return query;
}

/** A substring, or a wildcard over the whole URL when it has a star. */
function likeOf(pattern: string): string {
  const escaped = pattern.toLowerCase().replace(/[\\%_]/g, "\\$&");
  return escaped.includes("*") ? escaped.replaceAll("*", "%") : `%${escaped}%`;
}

/** Words that follow each other, as text of a `tsquery`; they are letters and digits, so that a quote is all it takes. */
function phrase(words: SearchTerm): string {
  return `(${words.map((word) => `'${stemOf(word)}'`).join(" <-> ")})`;
}
