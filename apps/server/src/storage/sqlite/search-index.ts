import type Database from "better-sqlite3";
import type { WrittenContext } from "../../contexts/context.store.js";
import { limits } from "@periscope/schemas";
import {
  beginningChars,
  type Candidate,
  type Match,
  type MatchCount,
  type RankedRows,
  type RankRequest,
  readPage,
  type ReadRow,
  rerankedMax,
  type Row,
  type RowFilter,
  type SearchIndex,
} from "../../search/search-index.js";
import { anyOf, impactSteps, impactTerm } from "../../search/index-terms.js";
import { impactAt, plainImpact } from "../../search/ranking.js";
import { isExactPattern, urlMatcher } from "../../search/url-pattern.js";

/** Matches that are ranked: the newest. One more tells that there are more. */
const rankedMax = limits.searchTotalMax + 1;
/** Rows with their texts, which can be large, that are read at once. */
const textsPerStatement = 20;
/** Statements kept prepared. */
const statementsMax = 50;
/** Counts kept until anything is written. */
const countsMax = 200;

type Value = string | number;

/**
 * Opens the search indexes of users on one connection, for one search after the other, each in the transaction that is open. Undefined
 * when nothing of the user was ever indexed.
 */
export function searchIndexOpener(db: Database.Database): (userId: string) => SearchIndex | undefined {
  const findOwner = ownerReader(db);
  const findSpan = db.prepare<[string, string], { first: number | null; last: number | null }>(
    `SELECT (SELECT min(capturedAt) FROM contexts WHERE userId = ?) AS first, (SELECT max(capturedAt) FROM contexts WHERE userId = ?) AS last`,
  );
  const countLevels = db.prepare<[string, string, number], MatchCount>(
    "SELECT count(*) AS count, 0 AS oldest FROM (SELECT 1 FROM contexts WHERE userId = ? AND privacyLevel IN (SELECT value FROM json_each(?)) LIMIT ?)",
  );
  const readCandidates = db.prepare<[string], Candidate>(
    `SELECT t.seq AS "row", t.capturedAt, t.terms FROM json_each(?) j CROSS JOIN search_terms t ON t.seq = j.value`,
  );
  const readTimes = db
    .prepare<[string], number>(
      `SELECT t.capturedAt FROM json_each(?) j CROSS JOIN search_terms t INDEXED BY "search_terms_seq_capturedAt_idx" ON t.seq = j.value`,
    )
    .pluck();
  const readRows = db.prepare<[number, string, string], ReadRow>(
    `SELECT p.seq AS "row", c.contextId, c.type, c.url, c.title, c.capturedAt, c.writtenAt, c.privacyLevel, c.contentFormat, c.plainText IS NULL AS isContent,
       p.bytes, iif(p.before < ?, ifnull(c.plainText, c.content), substr(ifnull(c.plainText, c.content), 1, ${beginningChars})) AS text
     FROM (SELECT seq, place, bytes, sum(bytes) OVER (ORDER BY place) - bytes AS before
       FROM (SELECT c.seq, j.key AS place, octet_length(ifnull(c.plainText, c.content)) AS bytes
         FROM json_each(?) j CROSS JOIN contexts c ON c.seq = j.value WHERE +c.userId = ?)) p
     CROSS JOIN contexts c ON c.seq = p.seq ORDER BY p.place`,
  );
  let matchesUrl: (url: string) => boolean = () => true;
  db.function("url_matches", { deterministic: false }, (url) => (matchesUrl(String(url)) ? 1 : 0));

  const statements = new Map<string, Database.Statement<Value[]>>();
  const prepare = <Result>(sql: string): Database.Statement<Value[], Result> => {
    let statement = statements.get(sql);
    if (!statement) {
      if (statements.size >= statementsMax) statements.clear();
      statements.set(sql, (statement = db.prepare<Value[]>(sql)));
    }
    return statement as Database.Statement<Value[], Result>;
  };
  const rowsOf = (sql: string, ...values: Value[]): Row[] =>
    prepare<Row>(sql)
      .pluck()
      .all(...values);

  const counts = new Map<string, MatchCount>();
  /** Of the database's state that `counts` are of. */
  let version: unknown;
  /** Counts by a statement once for each state of the database: each search asks for the same languages and the same size. */
  const counted = <Values extends Value[]>(statement: Database.Statement<Values, MatchCount>, ...values: Values): MatchCount => {
    const key = JSON.stringify([statement.source, values]);
    const known = counts.get(key) ?? statement.get(...values) ?? { count: 0, oldest: 0 };
    if (counts.size < countsMax) counts.set(key, known);
    return known;
  };

  function count(query: string, max: number, since: Row): MatchCount {
    // In the order of the index the first row is at hand; the newest is not.
    const order = max === 1 ? "" : "ORDER BY rowid DESC";
    const sql = `SELECT count(*) AS count, ifnull(min(rowid), 0) AS oldest FROM (
      SELECT rowid FROM search_index WHERE search_index MATCH ? AND rowid >= ? ${order} LIMIT ?)`;
    return counted(prepare<MatchCount>(sql), query, since, max);
  }

  /**
   * Ranks by the impacts of words, which a context has by itself. FTS5's own `bm25()` counts all rows of the table: its order would tell of
   * contexts that the key may not see.
   */
  function rank(prefix: string, { match, filter, words, limit }: RankRequest): RankedRows {
    const { tables, conditions, values } = filtered(filter);
    const query = ftsQuery(prefix, match);
    const rows = rowsOf(
      `SELECT search_index.rowid FROM ${tables} WHERE search_index MATCH ? ${conditions} ORDER BY search_index.rowid DESC LIMIT ${rankedMax}`,
      query,
      ...values,
    );
    const oldest = rows.at(-1);
    if (oldest === undefined || words.length === 0 || rows.length <= rerankedMax)
      return { rows: rows.slice(0, limit), total: rows.length, totalIsExact: true };
    // Of each of the rows, which begin with the newest.
    const scores = new Float64Array(rows.length);
    const add = (wanted: Match, score: number): void => {
      const having = "SELECT rowid FROM search_index WHERE search_index MATCH ? AND rowid >= ? ORDER BY rowid DESC";
      let at = 0;
      for (const row of rowsOf(having, ftsQuery(prefix, wanted), oldest)) {
        while ((rows[at] ?? 0) > row) at++;
        if (rows[at] === row) scores[at] = (scores[at] ?? 0) + score;
      }
    };
    // Of one or two words that every row has, having them tells nothing.
    const hasAll = words.length < 3 && words.every((word) => query.includes(ftsQuery(prefix, word.match)));
    for (const { match: word, weight } of words) {
      if (!hasAll) add(word, plainImpact * weight);
      for (let step = 1; step <= impactSteps; step++) add(withImpact(word, step), (impactAt(step) - plainImpact) * weight);
    }
    const places = Uint32Array.from(scores.keys()).sort((one, other) => (scores[other] ?? 0) - (scores[one] ?? 0) || one - other);
    return { rows: Array.from(places.subarray(0, limit), (at) => rows[at] ?? 0), total: rows.length, totalIsExact: true };
  }

  function filtered({ since, until, urlPattern, extensionId }: RowFilter = {}): { tables: string; conditions: string; values: Value[] } {
    const wanted: Array<[sql: string, value: Value | undefined]> = [
      ["AND c.capturedAt >= ?", since],
      ["AND c.capturedAt < ?", until],
      ["AND c.extensionId = ?", extensionId],
    ];
    const given = wanted.filter(([, value]) => value !== undefined);
    const conditions = given.map(([sql]) => sql);
    if (urlPattern !== undefined && !isExactPattern(urlPattern)) {
      matchesUrl = urlMatcher(urlPattern);
      conditions.push("AND url_matches(c.url)");
    }
    const tables = conditions.length > 0 ? "search_index CROSS JOIN contexts c ON c.seq = search_index.rowid" : "search_index";
    return { tables, conditions: conditions.join(" "), values: given.map(([, value]) => value ?? "") };
  }

  return (userId) => {
    const current = db.pragma("data_version", { simple: true });
    if (current !== version) {
      version = current;
      counts.clear();
    }
    const owner = findOwner.get(userId);
    if (owner === undefined) return undefined;
    const prefix = ownerPrefix(owner);
    return {
      capturedSpan: async () => {
        const { first, last } = findSpan.get(userId, userId) ?? { first: null, last: null };
        return first === null || last === null ? undefined : { first, last };
      },
      count: async (matches, max, since = 0) => matches.map((match) => count(ftsQuery(prefix, match), max, since)),
      size: async (levels, max) => counted(countLevels, userId, JSON.stringify(levels), max).count,
      rank: async (request) => rank(prefix, request),
      candidates: async (rows) => readCandidates.all(JSON.stringify(rows)),
      times: async (rows) => readTimes.all(inOrder(rows)),
      page: (rows) => readPage(rows, textsPerStatement, (some, left) => readRows.all(left, JSON.stringify(some), userId)),
    };
  };
}

/** Many rows as SQLite reads them fastest. */
const inOrder = (rows: readonly Row[]): string => JSON.stringify(rows.toSorted((one, other) => one - other));

/** Contexts where a word has the impact, or any word of a phrase. */
function withImpact(word: Match, step: number): Match {
  const terms = (match: Match): string[] => {
    if (typeof match === "string") return [match.slice(1)];
    if ("phrase" in match) return match.phrase.flatMap(terms);
    return "any" in match ? match.any.flatMap(terms) : [];
  };
  return anyOf(terms(word).map((term) => impactTerm(step, term)));
}

/**
 * Terms as FTS5 takes them: beside the space, only a control character ends one, and what follows it would lack the owner's prefix, so
 * that it could be a term of another user.
 */
const unbroken = (terms: string): string => terms.replace(/\p{Cc}/gu, "\uFFFD");

/** An FTS5 query for what the owner has of a match. Quoted, a term is never an operator. */
function ftsQuery(prefix: string, match: Match): string {
  const quoted = (text: string): string => `"${unbroken(text).replaceAll('"', '""')}"`;
  if (typeof match === "string") return quoted(prefix + match);
  if ("phrase" in match) return quoted(match.phrase.map((term) => prefix + term).join(" "));
  if ("prefix" in match) return `${quoted(prefix + match.prefix)} *`;
  const list = (matches: readonly Match[], by: string): string => `(${matches.map((each) => ftsQuery(prefix, each)).join(by)})`;
  if ("any" in match) return list(match.any, " OR ");
  const all = list(match.all, " AND ");
  return match.none === undefined || match.none.length === 0 ? all : `(${all} NOT ${list(match.none, " OR ")})`;
}

const ownerReader = (db: Database.Database) => db.prepare<[string], number>("SELECT owner FROM search_owners WHERE userId = ?").pluck();

/** What the terms of an owner begin with: digits and small letters, where every term goes on with a sign. */
const ownerPrefix = (owner: number): string => owner.toString(36);

/** SQL of a list of terms with the owner's prefix before each: SQLite makes it without a copy in JavaScript's heap, which is much for a long page. */
const owned = (column: string): string => `iif(@${column} = '', '', @prefix || replace(@${column}, ' ', ' ' || @prefix))`;
const indexedColumns = ["content", "title", "meta", "forms", "filters", "urlGrams"] as const;
type IndexedRow = Record<(typeof indexedColumns)[number] | "prefix", string> & { seq: number };

/** Writes the search index, within whatever transaction is open on the connection. */
export function searchIndexWriter(db: Database.Database) {
  const findOwner = ownerReader(db);
  const addOwner = db.prepare<[string]>("INSERT INTO search_owners (userId) VALUES (?)");
  const addRow = db.prepare<[IndexedRow]>(
    `INSERT INTO search_index (rowid, ${indexedColumns.join(", ")}) VALUES (@seq, ${indexedColumns.map(owned).join(", ")})`,
  );
  const addTerms = db.prepare<[number, number, Uint8Array]>("INSERT INTO search_terms (seq, capturedAt, terms) VALUES (?, ?, ?)");
  const removeRow = db.prepare<[number]>("DELETE FROM search_index WHERE rowid = ?");
  const removeTerms = db.prepare<[number]>("DELETE FROM search_terms WHERE seq = ?");
  return {
    /** Adds a context that is not in the index. */
    add(seq: number, { userId, capturedAt, search }: WrittenContext): void {
      const { stored, filters, impacts, ...terms } = search;
      const prefix = ownerPrefix(findOwner.get(userId) ?? Number(addOwner.run(userId).lastInsertRowid));
      const row = { ...terms, filters: `${filters} ${impacts}`.trimEnd(), seq, prefix };
      for (const column of indexedColumns) row[column] = unbroken(row[column]);
      addRow.run(row);
      addTerms.run(seq, capturedAt, stored);
    },

    remove(seq: number): void {
      removeRow.run(seq);
      removeTerms.run(seq);
    },
  };
}
