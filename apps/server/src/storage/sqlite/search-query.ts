import type Database from "better-sqlite3";
import type { ReadScope, StoredContext } from "../../contexts/context.store.js";
import { excerptTextOf } from "../../search/plain-text.js";
import type { SearchExpression } from "../../search/search-expression.js";
import type { FoundContext, FoundPage, SearchRequest } from "../../search/search.store.js";
import { type WantedTerms, snippetOf } from "../../search/snippet.js";
import { urlMatcher } from "../../search/url-pattern.js";
import { type Filter, filterOf } from "./search-filter.js";
import { rankAll, rankSome } from "./search-ranking.js";

/** Bounds of the contract, given so that the worker need not load the contract. */
export interface SearchBounds {
  /** Matches past which the total is not counted on. */
  totalMax: number;
  /** Code points of a snippet. */
  snippetCharsMax: number;
}

/** What one search works with. */
export interface SearchRun {
  prepare: (sql: string) => Database.Statement<Array<string | number>, unknown[]>;
  userId: string;
  filter: Filter;
  bounds: SearchBounds;
  limit: number;
  offset: number;
}

/** A page of matches by row, and what the words of the query are worth in a snippet. */
export interface Ranking {
  rows: Array<{ seq: number; relevance: number }>;
  /** Counted up to one past the bound. */
  total: number;
  wanted: WantedTerms;
}

const page = `SELECT contextId, type, url, title, capturedAt, privacyLevel, contentFormat, plainText, iif(plainText IS NULL, content, '') AS content FROM contexts WHERE seq = ?`;
type PageRow = Omit<FoundContext, "relevance" | "snippet"> & Pick<StoredContext, "contentFormat" | "plainText" | "content">;

/** Statements kept prepared; their texts differ by the filters given and the number of words. */
const statementsMax = 100;

/** Searches on a connection of its own, one after the other. */
export function createSearcher(db: Database.Database, bounds: SearchBounds): (scope: ReadScope, request: SearchRequest) => FoundPage {
  const statements = new Map<string, Database.Statement<Array<string | number>, unknown[]>>();
  const readPage = db.prepare<[number], PageRow>(page);
  let matchesUrl: (url: string) => boolean = () => true;

  // Called for every row that a statement considers. It changes nothing, but a thread that is told to end does so at the
  // next call of a function: without one, a statement would run to its own end, however long that takes.
  db.function("alive", { deterministic: false }, () => 1);
  db.function("url_matches", { deterministic: false }, (url) => (matchesUrl(String(url)) ? 1 : 0));

  const prepare = (sql: string) => {
    let statement = statements.get(sql);
    if (!statement) {
      if (statements.size >= statementsMax) statements.clear();
      statement = db.prepare<Array<string | number>, unknown[]>(sql).raw();
      statements.set(sql, statement);
    }
    return statement;
  };

  const run = (scope: ReadScope, request: SearchRequest): FoundPage => {
    const { expression, urlPattern, limit, offset } = request;
    const base = filterOf(scope, request);
    const filter = expression && urlPattern !== undefined ? { ...base, sql: `${base.sql} AND url_matches(c.url)`, ownerOnly: false } : base;
    matchesUrl = urlPattern === undefined ? () => true : urlMatcher(urlPattern);
    const search: SearchRun = { prepare, userId: scope.userId, filter, bounds, limit, offset };
    const { rows, total, wanted } = expression ? rankWords(search, expression) : newestFirst(search);
    const results: FoundContext[] = [];
    for (const { seq, relevance } of rows) {
      const row = readPage.get(seq);
      if (!row) continue;
      const { contentFormat, plainText, content, ...found } = row;
      const text = plainText ?? excerptTextOf(contentFormat, content);
      results.push({ ...found, relevance, snippet: snippetOf(text, wanted, bounds.snippetCharsMax) });
    }
    return { results, total: Math.min(total, bounds.totalMax), totalIsExact: total <= bounds.totalMax };
  };

  // One transaction, so that total, order and text are of one moment.
  return db.transaction(run);
}

function rankWords(search: SearchRun, expression: SearchExpression): Ranking {
  const all = rankAll(search, expression);
  return all.total === 0 && expression.all.length > 1 ? rankSome(search, expression) : all;
}

/** Matches of the URL alone are all equally good, so the newest come first: the order of the index of history. */
function newestFirst({ prepare, filter, bounds, limit, offset }: SearchRun): Ranking {
  const sql = `SELECT c.seq FROM contexts c INDEXED BY "contexts_userId_capturedAt_contextId_type_privacyLevel_idx"
    WHERE ${filter.sql} AND url_matches((SELECT u.url FROM contexts u INDEXED BY contexts_search_idx WHERE u.seq = c.seq))
    ORDER BY c.capturedAt DESC, c.contextId`;
  const rows: Ranking["rows"] = [];
  let total = 0;
  for (const [seq] of prepare(sql).iterate(...filter.values)) {
    if (total >= offset && rows.length < limit) rows.push({ seq: Number(seq), relevance: 1 });
    total++;
    if (total > bounds.totalMax && total >= offset + limit) break;
  }
  return { rows, total, wanted: [] };
}
