import type Database from "better-sqlite3";
import type { StoredContext } from "../../contexts/context.store.js";
import { bitsOf } from "../../search/analysis/pair-filter.js";
import { KnownSamples } from "../../search/known-samples.js";
import { excerptTextOf } from "../../search/plain-text.js";
import type {
  Candidate,
  Found,
  FoundRow,
  PairTest,
  Row,
  RowFilter,
  SearchSnapshot,
  TermMatch,
  TestedWalk,
  Walk,
} from "../../search/search-engine.js";
import { urlMatcher } from "../../search/url-pattern.js";
import { ftsQuery, ownerPrefix } from "./search-owner.js";

/** Statements kept prepared; their texts differ by the bounds given. */
const statementsMax = 100;
/** Rows that one statement reads by their numbers. */
const rowsPerStatement = 500;
/** Of rows with their texts, which can be large. */
const textsPerStatement = 20;

type Value = string | number | Uint8Array;
type PageRow = Omit<FoundRow, "text"> & Pick<StoredContext, "contentFormat" | "plainText" | "content">;

/** Opens the snapshots of users' contexts on a connection: one at a time, and each within a transaction. */
export class SqliteSnapshots {
  readonly #db: Database.Database;
  readonly #statements = new Map<string, Database.Statement<Value[], unknown[]>>();
  readonly #owner: Database.Statement<[string], { owner: number; contexts: number }>;
  readonly #candidates: Database.Statement<[string], [Row, string, number, Uint8Array]>;
  readonly #page: Database.Statement<[string, string], PageRow>;
  readonly #captured: Database.Statement<[string, string], { first: number | null; last: number | null }>;
  readonly #samples = new KnownSamples();
  #matchesUrl: (url: string) => boolean = () => true;

  constructor(db: Database.Database) {
    this.#db = db;
    this.#owner = db.prepare("SELECT owner, contexts FROM search_owners WHERE userId = ?");
    this.#captured = db.prepare(
      `SELECT (SELECT min(capturedAt) FROM contexts WHERE userId = ?) AS first, (SELECT max(capturedAt) FROM contexts WHERE userId = ?) AS last`,
    );
    this.#candidates = db.prepare<[string], [Row, string, number, Uint8Array]>(
      "SELECT seq, contextId, capturedAt, vector FROM json_each(?) j CROSS JOIN search_vectors v ON v.seq = j.value",
    );
    // A search reads thousands: the driver takes twice as long to give each of their columns a name.
    this.#candidates.raw();
    this.#page = db.prepare(
      `SELECT c.seq AS "row", c.contextId, c.type, c.url, c.title, c.capturedAt, c.privacyLevel, c.contentFormat, c.plainText,
         iif(c.plainText IS NULL, c.content, '') AS content, v.vector
       FROM json_each(?) j CROSS JOIN contexts c ON c.seq = j.value CROSS JOIN search_vectors v ON v.seq = j.value WHERE +c.userId = ?`,
    );
    // Called for every row that a filter considers. It changes nothing, but a thread that is told to end does so at the
    // next call of a function: without one, a statement would run to its own end, however long that takes.
    db.function("alive", { deterministic: false }, () => 1);
    db.function("url_matches", { deterministic: false }, (url) => (this.#matchesUrl(String(url)) ? 1 : 0));
  }

  /** The user's contexts, in the transaction that is open; undefined when there have never been any. */
  of(userId: string): SearchSnapshot | undefined {
    const owner = this.#owner.get(userId);
    if (!owner) return undefined;
    const prefix = ownerPrefix(owner.owner);
    return {
      samples: this.#samples.of(userId, this.#newest(`"${prefix}*"`, 1, {})[0]),
      readsTimes: false,
      captured: () => {
        const { first, last } = this.#captured.get(userId, userId) ?? { first: null, last: null };
        return first === null || last === null ? undefined : { first, last };
      },
      size: () => owner.contexts,
      nthNewest: (n) => this.#newest(`"${prefix}*"`, 1, { skip: n - 1 })[0],
      count: (matches, max, walk = {}) => matches.map((match) => this.#count(ftsQuery(prefix, match), max, walk)),
      found: (match, limit, max, walk = {}) => this.#found(ftsQuery(prefix, match), { limit, max, walk }),
      newest: (match: TermMatch, limit: number, walk: Walk = {}) => this.#newest(ftsQuery(prefix, match), limit, walk),
      candidates: (rows) => slices(rows, rowsPerStatement).flatMap((some) => this.#candidates.all(JSON.stringify(some)).map(candidate)),
      page: (rows) => this.#texts(rows, userId),
    };
  }

  *#texts(rows: readonly Row[], userId: string): Generator<FoundRow> {
    for (const some of slices(rows, textsPerStatement)) yield* this.#page.all(JSON.stringify(some), userId).map(foundRow);
  }

  #count(query: string, max: number, walk: Walk): number {
    const { sql, values } = this.#from(query, walk);
    return Number(this.#prepare(`SELECT count(*) FROM (SELECT 1 ${sql} LIMIT ?)`).get(...values, max)?.[0]);
  }

  #found(query: string, { limit, max, walk }: { limit: number; max: number; walk: TestedWalk }): Found {
    if (walk.test) return this.#foundByPairs(query, walk.test, { limit, max, walk });
    // A filter looks at each row, which is dearer than to keep its number: then all are found in one walk.
    const rows = this.#newest(query, walk.filter ? max : limit, walk);
    const isAll = walk.filter !== undefined || rows.length < limit;
    return { rows: rows.slice(0, limit), total: isAll ? rows.length : this.#count(query, max, walk) };
  }

  #foundByPairs(query: string, test: PairTest, { limit, max, walk }: { limit: number; max: number; walk: Walk }): Found {
    const { sql, values } = this.#from(query, walk);
    const hasPairs = pairsSql(test);
    // One value with all the numbers: a row for each takes the driver several times as long.
    const [total, passed] =
      this.#prepare(
        `SELECT count(*), json_group_array(i.seq) FILTER (WHERE p.pairs IS NULL OR (${hasPairs.sql}))
         FROM (SELECT search_index.rowid AS seq ${sql} ORDER BY search_index.rowid DESC LIMIT ?) i
         LEFT JOIN search_pairs p ON p.seq = i.seq`,
      ).get(...hasPairs.values, ...values, max) ?? [];
    const rows = (JSON.parse(typeof passed === "string" ? passed : "[]") as Row[]).sort((a, b) => b - a).slice(0, limit);
    return { rows, total: rows.length < limit ? Number(total ?? 0) : max };
  }

  #newest(query: string, limit: number, walk: Walk & { skip?: number }): Row[] {
    const { sql, values } = this.#from(query, walk);
    const rows = this.#prepare(`SELECT search_index.rowid ${sql} ORDER BY search_index.rowid DESC LIMIT ? OFFSET ?`);
    return rows.all(...values, limit, walk.skip ?? 0).map(([row]) => Number(row));
  }

  #from(query: string, { filter, from, before }: Walk): { sql: string; values: Value[] } {
    const conditions = ["search_index MATCH ?"];
    const values: Value[] = [query];
    const add = (sql: string, ...more: Value[]): void => {
      conditions.push(sql);
      values.push(...more);
    };
    if (from !== undefined) add("search_index.rowid >= ?", from);
    if (before !== undefined) add("search_index.rowid < ?", before);
    if (filter) this.#addFilter(filter, add);
    const tables = filter ? "search_index CROSS JOIN contexts c ON c.seq = search_index.rowid" : "search_index";
    return { sql: `FROM ${tables} WHERE ${conditions.join(" AND ")}`, values };
  }

  #addFilter({ since, until, urlPattern }: RowFilter, add: (sql: string, ...values: Value[]) => void): void {
    if (since !== undefined) add("c.capturedAt >= ?", since);
    if (until !== undefined) add("c.capturedAt < ?", until);
    if (urlPattern !== undefined) {
      this.#matchesUrl = urlMatcher(urlPattern);
      add("url_matches(c.url)");
    } else {
      add("alive()");
    }
  }

  #prepare(sql: string): Database.Statement<Value[], unknown[]> {
    let statement = this.#statements.get(sql);
    if (!statement) {
      if (this.#statements.size >= statementsMax) this.#statements.clear();
      statement = this.#db.prepare<Value[], unknown[]>(sql).raw();
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

/** By the number of a bit in its byte, all bytes in which it is set: SQLite has no bits of blobs, but finds one within another. */
const bytesWithBit = Array.from({ length: 8 }, (_, bit) => Uint8Array.from(Array(256).keys()).filter((byte) => (byte & (1 << bit)) !== 0));

/** SQL of `mayHavePair` for the filter `p.pairs`, with its values. */
function pairsSql(test: PairTest): { sql: string; values: Value[] } {
  const bits = test.map((list) => [...new Set(list)].map(bitsOf));
  const isSet = "instr(?, substr(p.pairs, 1 + ? % length(p.pairs), 1))";
  return {
    sql: bits.map((list) => `(${list.map(() => `(${isSet} AND ${isSet})`).join(" OR ")})`).join(" AND "),
    values: bits.flat(2).flatMap(({ byte, bit }) => [bytesWithBit[bit] ?? "", byte]),
  };
}

const candidate = ([row, contextId, capturedAt, vector]: [Row, string, number, Uint8Array]): Candidate => ({
  row,
  contextId,
  capturedAt,
  vector,
});

function foundRow({ contentFormat, plainText, content, ...found }: PageRow): FoundRow {
  return { ...found, text: plainText ?? excerptTextOf(contentFormat, content) };
}

function slices(rows: readonly Row[], size: number): Array<readonly Row[]> {
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, index) => rows.slice(index * size, (index + 1) * size));
}
