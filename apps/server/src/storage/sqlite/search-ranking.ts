import type { SearchExpression } from "../../search/search-expression.js";
import type { Filter } from "./search-filter.js";
import { matchAll, matchAny, type TermGroup } from "./search-match.js";
import type { Ranking, SearchRun } from "./search-query.js";

/** What a word in the title, URL, content or metadata counts, in this order; tuned on Cranfield. The owner's token counts nothing. */
const weights = "0, 4, 1, 1, 1";

/**
 * How strongly a row holds the words, from 0 to 1: `bm25` is a sum over the words of idf × f / (f + length norm), f being the weighted
 * frequency. Weights past all measure make each fraction one and leave the sum of the idfs, so that the quotient is the mean
 * fraction, weighted by the rarity of the words. Unlike `bm25` itself it means the same in every query and every database.
 */
const strength = `(bm25(search_index, ${weights}) / bm25(search_index, 0, 1e12, 1e12, 1e12, 1e12))`;

/** Rows that a search for some of the words ranks at most, and words it looks at: the rarest come first. */
const postingsMax = 50_000;
const groupsMax = 32;

// Equal relevance, as answered, is a tie: newest first.
const order = "ORDER BY 2 DESC, c.capturedAt DESC, c.contextId LIMIT ? OFFSET ?";
const rowOf = "CROSS JOIN contexts c INDEXED BY contexts_search_idx";
const rounded = (score: string): string => `min(1.0, max(0.0001, round(${score}, 4)))`;

/** Contexts that hold all of the words, best first. */
export function rankAll(search: SearchRun, { all, none }: SearchExpression): Ranking {
  const { filter, limit, offset } = search;
  const match = matchAll(search.userId, all, none);
  const total = count(search, match, search.bounds.totalMax + 1);
  const wanted = all.map((terms) => ({ terms, weight: 1 }));
  if (total === 0) return { rows: [], total, wanted };
  const sql = `SELECT search_index.rowid, ${rounded(strength)} FROM search_index ${rowOf} ON c.seq = search_index.rowid
    WHERE search_index MATCH ? AND ${filter.sql} AND alive() ${order}`;
  return { rows: rowsOf(search.prepare(sql).all(match, ...filter.values, limit, offset)), total, wanted };
}

/**
 * Contexts that hold some of the words, those with most of the rarest ones first: each word is worth its idf among the user's
 * own contexts (Robertson and Spärck Jones, as in BM25) times its strength there; the relevance is the part reached of the worth of all.
 */
export function rankSome(search: SearchRun, { all, none }: SearchExpression): Ranking {
  const { userId, filter, bounds, limit, offset } = search;
  const contexts = countContexts(search, filter);
  const groups = all.map((terms) => {
    const found = rarity(search, matchAll(userId, [terms], none));
    return { terms, found, weight: Math.log(1 + (Math.max(contexts - found, 0) + 0.5) / (found + 0.5)) };
  });
  const wanted = rarest(groups.filter(({ found }) => found > 0));
  if (wanted.length === 0) return { rows: [], total: 0, wanted };

  const ideal = groups.reduce((sum, { weight }) => sum + weight, 0);
  const parts = wanted.map(() => `SELECT rowid AS seq, ? * ${strength} AS part FROM search_index WHERE search_index MATCH ? AND alive()`);
  // Materialized: bm25 answers only while its own table is read.
  const sql = `WITH parts AS MATERIALIZED (${parts.join(" UNION ALL ")})
    SELECT m.seq, ${rounded("m.score")} FROM (SELECT seq, sum(part) AS score FROM parts GROUP BY seq) m
    ${rowOf} ON c.seq = m.seq WHERE ${filter.sql} ${order}`;
  const values = wanted.flatMap(({ terms, weight }) => [weight / ideal, matchAll(userId, [terms], none)]);
  const rows = rowsOf(search.prepare(sql).all(...values, ...filter.values, limit, offset));
  const terms = wanted.map((group) => group.terms);
  return { rows, total: count(search, matchAny(userId, terms, none), bounds.totalMax + 1), wanted };
}

interface Group {
  terms: TermGroup;
  /** Contexts that hold it. */
  found: number;
  weight: number;
}

/** As many of the groups, rarest first, as the bounds allow, and one at least. */
function rarest(groups: readonly Group[]): Group[] {
  const chosen: Group[] = [];
  let postings = 0;
  for (const group of [...groups].sort((a, b) => a.found - b.found)) {
    postings += group.found;
    if (chosen.length > 0 && (postings > postingsMax || chosen.length >= groupsMax)) break;
    chosen.push(group);
  }
  return chosen;
}

/** Matches that the filter lets through, counted up to `max`. */
function count({ prepare, filter }: SearchRun, match: string, max: number): number {
  const sql = `SELECT count(*) FROM (SELECT 1 FROM search_index ${rowOf} ON c.seq = search_index.rowid
    WHERE search_index MATCH ? AND ${filter.sql} AND alive() LIMIT ?)`;
  return Number(prepare(sql).get(match, ...filter.values, max)?.[0]);
}

/** Contexts that hold a word, as far as rarity needs them counted. Most searches filter nothing, and then the index alone can tell. */
function rarity(search: SearchRun, match: string): number {
  if (!search.filter.ownerOnly) return count(search, match, postingsMax + 1);
  const sql = "SELECT count(*) FROM (SELECT 1 FROM search_index WHERE search_index MATCH ? AND alive() LIMIT ?)";
  return Number(search.prepare(sql).get(match, postingsMax + 1)?.[0]);
}

function countContexts({ prepare }: SearchRun, filter: Filter): number {
  return Number(prepare(`SELECT count(*) FROM contexts c WHERE ${filter.sql}`).get(...filter.values)?.[0]);
}

function rowsOf(rows: readonly unknown[][]): Ranking["rows"] {
  return rows.map(([seq, relevance]) => ({ seq: Number(seq), relevance: Number(relevance) }));
}
