import type Database from "better-sqlite3";
import { limits } from "@periscope/schemas";
import type { Candidate, FoundRow, Match, RankedRows, RankRequest, Row, RowFilter, SearchIndex } from "../../search/search-index.js";
import { anyTerm } from "../../search/index-terms.js";
import { excerptTextOf } from "../../search/plain-text.js";
import { isExactPattern, urlMatcher } from "../../search/url-pattern.js";
import type { StoredContext } from "../../contexts/context.store.js";
import { ownerPrefix } from "./search-index-writer.js";

/** Matches that are ranked: the newest. One more tells that there are more. */
const rankedMax = limits.searchTotalMax + 1;
/** What an occurrence counts in content, title, meta, forms, filters and URL trigrams. */
const columnWeights = "1, 4, 1, 1, 0, 0";
/** Rows with their texts, which can be large, that are read at once. */
const textsPerStatement = 20;
/** Statements kept prepared. */
const statementsMax = 50;

type Value = string | number;
type PageRow = Omit<FoundRow, "text"> & Pick<StoredContext, "contentFormat" | "plainText" | "content">;

/** Opens the search indexes of users on one connection, for one search after the other. */
export class SqliteSearchIndexes {
  readonly #db: Database.Database;
  readonly #statements = new Map<string, Database.Statement<Value[]>>();
  readonly #owner: Database.Statement<[string], number>;
  readonly #span: Database.Statement<[string, string], { first: number | null; last: number | null }>;
  readonly #candidates: Database.Statement<[string], Candidate>;
  readonly #page: Database.Statement<[string, string], PageRow>;
  #matchesUrl: (url: string) => boolean = () => true;

  constructor(db: Database.Database) {
    this.#db = db;
    this.#owner = db.prepare<[string], number>("SELECT owner FROM search_owners WHERE userId = ?").pluck();
    this.#span = db.prepare(
      `SELECT (SELECT min(capturedAt) FROM contexts WHERE userId = ?) AS first, (SELECT max(capturedAt) FROM contexts WHERE userId = ?) AS last`,
    );
    this.#candidates = db.prepare(
      `SELECT t.seq AS "row", t.capturedAt, t.terms FROM json_each(?) j CROSS JOIN search_terms t ON t.seq = j.value`,
    );
    this.#page = db.prepare(
      `SELECT c.seq AS "row", c.contextId, c.type, c.url, c.title, c.capturedAt, c.privacyLevel, c.contentFormat, c.plainText,
         iif(c.plainText IS NULL, c.content, '') AS content
       FROM json_each(?) j CROSS JOIN contexts c ON c.seq = j.value WHERE +c.userId = ?`,
    );
    db.function("url_matches", { deterministic: false }, (url) => (this.#matchesUrl(String(url)) ? 1 : 0));
  }

  /** The user's index, in the transaction that is open; undefined when nothing of the user was ever indexed. */
  of(userId: string): SearchIndex | undefined {
    const owner = this.#owner.get(userId);
    if (owner === undefined) return undefined;
    const prefix = ownerPrefix(owner);
    let size: { newest: Row; oldest: Row } | undefined;
    const all = () => (size ??= this.#rowSpan(ftsQuery(prefix, anyTerm)));
    return {
      capturedSpan: async () => {
        const { first, last } = this.#span.get(userId, userId) ?? { first: null, last: null };
        return first === null || last === null ? undefined : { first, last };
      },
      count: async (matches, max) =>
        matches.map((match) => {
          const query = ftsQuery(prefix, match);
          if (max === 1) return this.#exists(query) ? { count: 1, estimate: 1 } : { count: 0, estimate: 0 };
          const { count, reach } = this.#count(query, max);
          if (count < max) return { count, estimate: count };
          const { newest, oldest } = all();
          return { count, estimate: (count * (newest - oldest + 1)) / (newest - reach + 1) };
        }),
      rank: async (request) => this.#rank(prefix, request),
      candidates: async (rows) => this.#candidates.all(JSON.stringify(rows)),
      page: (rows) => this.#texts(rows, userId),
    };
  }

  /** In the order of the index, where the first row is at hand; the newest is not. */
  #exists(query: string): boolean {
    return this.#prepare("SELECT 1 FROM search_index WHERE search_index MATCH ? LIMIT 1").get(query) !== undefined;
  }

  #count(query: string, max: number): { count: number; reach: Row } {
    const sql =
      "SELECT count(*) AS count, min(rowid) AS reach FROM (SELECT rowid FROM search_index WHERE search_index MATCH ? ORDER BY rowid DESC LIMIT ?)";
    return this.#prepare<{ count: number; reach: Row }>(sql).get(query, max) ?? { count: 0, reach: 0 };
  }

  /** The first and the last of the rows of a match. */
  #rowSpan(query: string): { newest: Row; oldest: Row } {
    const end = (order: string): Row =>
      this.#prepare<{ row: Row }>(`SELECT rowid AS row FROM search_index WHERE search_index MATCH ? ORDER BY rowid ${order} LIMIT 1`).get(
        query,
      )?.row ?? 0;
    return { newest: end("DESC"), oldest: end("ASC") };
  }

  #rank(prefix: string, { match, filter, words, limit }: RankRequest): RankedRows {
    const wanted = ftsQuery(prefix, match);
    // Where the match is of the rarer words only, the others count for the rank too.
    const isRanked = (word: Match): boolean => wanted.includes(ftsQuery(prefix, word));
    const all = words.map((word) => word.match);
    const query = all.every(isRanked) ? wanted : `${wanted} AND ${ftsQuery(prefix, { any: all })}`;
    const { tables, conditions, values } = this.#filtered(filter);
    const score = words.length > 0 ? `bm25(search_index, ${columnWeights})` : "0";
    const found = this.#prepare<{ row: Row; total: number }>(
      `SELECT row, count(*) OVER () AS total FROM (
         SELECT search_index.rowid AS row, ${score} AS score FROM ${tables} WHERE search_index MATCH ? ${conditions}
         ORDER BY search_index.rowid DESC LIMIT ${rankedMax})
       ORDER BY score, row DESC LIMIT ?`,
    ).all(query, ...values, Math.min(limit, rankedMax));
    return { rows: found.map(({ row }) => row), total: found[0]?.total ?? 0, totalIsExact: true };
  }

  #filtered(filter: RowFilter | undefined): { tables: string; conditions: string; values: Value[] } {
    const { since, until, urlPattern } = filter ?? {};
    const conditions: string[] = [];
    const values: Value[] = [];
    if (since !== undefined) {
      conditions.push("AND c.capturedAt >= ?");
      values.push(since);
    }
    if (until !== undefined) {
      conditions.push("AND c.capturedAt < ?");
      values.push(until);
    }
    if (urlPattern !== undefined && !isExactPattern(urlPattern)) {
      this.#matchesUrl = urlMatcher(urlPattern);
      conditions.push("AND url_matches(c.url)");
    }
    const tables = conditions.length > 0 ? "search_index CROSS JOIN contexts c ON c.seq = search_index.rowid" : "search_index";
    return { tables, conditions: conditions.join(" "), values };
  }

  async *#texts(rows: readonly Row[], userId: string): AsyncGenerator<FoundRow> {
    for (let at = 0; at < rows.length; at += textsPerStatement)
      for (const { contentFormat, plainText, content, ...found } of this.#page.all(
        JSON.stringify(rows.slice(at, at + textsPerStatement)),
        userId,
      ))
        yield { ...found, text: plainText ?? excerptTextOf(contentFormat, content) };
  }

  #prepare<Result>(sql: string): Database.Statement<Value[], Result> {
    let statement = this.#statements.get(sql);
    if (!statement) {
      if (this.#statements.size >= statementsMax) this.#statements.clear();
      this.#statements.set(sql, (statement = this.#db.prepare<Value[]>(sql)));
    }
    return statement as Database.Statement<Value[], Result>;
  }
}

/** An FTS5 query for what the owner has of a match. Quoted, a term is never an operator. */
function ftsQuery(prefix: string, match: Match): string {
  const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  if (typeof match === "string") return quoted(prefix + match);
  if ("phrase" in match) return quoted(match.phrase.map((term) => prefix + term).join(" "));
  if ("prefix" in match) return `${quoted(prefix + match.prefix)} *`;
  const list = (matches: readonly Match[], by: string): string => `(${matches.map((each) => ftsQuery(prefix, each)).join(by)})`;
  if ("any" in match) return list(match.any, " OR ");
  const all = list(match.all, " AND ");
  return match.none === undefined || match.none.length === 0 ? all : `(${all} NOT ${list(match.none, " OR ")})`;
}
