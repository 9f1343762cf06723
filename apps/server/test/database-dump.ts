import Database from "better-sqlite3";
import { searchDocument } from "../src/search/search-document.js";
import { type ContextRow, contextFromRow } from "../src/storage/context-columns.js";
import { ownerPrefix } from "../src/storage/sqlite/search-index-writer.js";

const columns = ["title", "meta", "content", "forms", "filters", "urlGrams"] as const;

/** Throws unless the search index has exactly the entries that the stored contexts make. */
function checkAgreement(db: Database.Database): void {
  const rows = db.prepare<[], ContextRow & { seq: number }>("SELECT * FROM contexts ORDER BY seq").all();
  const owners = db.prepare<[], [string, number]>("SELECT userId, owner FROM search_owners").raw().all();
  const users = new Set(db.prepare<[], string>("SELECT userId FROM users").pluck().all());
  for (const [userId] of owners) if (!users.has(userId)) throw new Error(`the search index knows ${userId}, who is gone`);
  const prefixes = new Map(owners.map(([userId, owner]) => [userId, ownerPrefix(owner)]));
  const stored = new Map(db.prepare<[], [number, Buffer]>("SELECT seq, terms FROM search_terms").raw().all());
  const indexed = indexedTerms(db);
  const known = new Set([...stored.keys(), ...db.prepare<[], number>("SELECT id FROM search_index_docsize").pluck().all()]);
  for (const { seq, ...row } of rows) {
    const made = searchDocument(contextFromRow(row));
    // Both are terms without an order, and share a column.
    const document = { ...made, filters: `${made.filters} ${made.impacts}`.trimEnd() };
    const name = `context ${String(row.contextId)}`;
    if (!known.delete(seq)) throw new Error(`${name} is not in the search index`);
    if (stored.get(seq)?.equals(document.stored) !== true) throw new Error(`${name} has other terms for ranking than its text makes`);
    for (const column of columns) {
      const prefix = prefixes.get(String(row.userId)) ?? "";
      const wanted = document[column] === "" ? "" : prefix + document[column].replaceAll(" ", ` ${prefix}`);
      const found = indexed.get(`${seq} ${column}`)?.join(" ") ?? "";
      if (found !== wanted) throw new Error(`${name} is indexed by other terms in ${column} than its text makes`);
    }
  }
  if (known.size > 0) throw new Error(`the search index has rows without contexts: ${[...known].join(", ")}`);
}

/** Terms in their order, by row and column. */
function indexedTerms(db: Database.Database): Map<string, string[]> {
  db.exec("CREATE VIRTUAL TABLE IF NOT EXISTS temp.places USING fts5vocab('main', 'search_index', 'instance')");
  const terms = new Map<string, string[]>();
  const places = db.prepare<[], [string, number, string, number]>('SELECT term, doc, col, "offset" FROM temp.places').raw();
  for (const [term, doc, col, offset] of places.iterate()) {
    const key = `${doc} ${col}`;
    const known = terms.get(key) ?? [];
    known[offset] = term;
    terms.set(key, known);
  }
  return terms;
}

type Row = Record<string, unknown>;

/** Tables that say what is stored, and the columns that tell when, or in which run, they were written. */
const tables: Record<string, readonly string[]> = {
  users: ["revision"],
  contexts: [],
  tombstones: ["deletedAt", "storedAt"],
  processed_messages: [],
  extensions: [],
  extension_errors: [],
  privacy_rules: [],
  privacy_progress: ["run", "finishedAt", "updatedAt"],
  search_terms: [],
  search_owners: [],
};

/** All that a database holds, row by row, with the words of the search index; what differs from run to run left out. */
export function dumpOf(file: string): Record<string, Row[]> {
  using closing = new DisposableStack();
  const db = new Database(file);
  closing.defer(() => db.close());
  const dump: Record<string, Row[]> = {};
  for (const [table, times] of Object.entries(tables)) {
    const rows = db.prepare<[], Row>(`SELECT * FROM ${table} ORDER BY 1, 2${table === "processed_messages" ? ", 3" : ""}`).all();
    dump[table] = rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !times.includes(name))));
  }
  return { ...dump, words: wordsOf(db) };
}

/** Rows of one table or query, on a connection of its own. */
export function rowsOf<T = Row>(file: string, sql: string): T[] {
  using closing = new DisposableStack();
  const db = new Database(file, { readonly: true });
  closing.defer(() => db.close());
  return db.prepare<[], T>(sql).all();
}

/** Changes a database as no server does, on a connection of its own. */
export function writeTo(file: string, sql: string): void {
  using closing = new DisposableStack();
  const db = new Database(file);
  closing.defer(() => db.close());
  db.exec(sql);
}

/** Every term that the search index knows, with the number of contexts that have it. */
function wordsOf(db: Database.Database): Row[] {
  db.exec("CREATE VIRTUAL TABLE IF NOT EXISTS temp.words USING fts5vocab('main', 'search_index', 'row')");
  return db.prepare<[], Row>("SELECT term, doc FROM temp.words ORDER BY term").all();
}

/** Whether search index and contexts agree and the file is sound; throws when not. */
export function checkWhole(file: string): void {
  using closing = new DisposableStack();
  const db = new Database(file);
  closing.defer(() => db.close());
  const state = String(db.pragma("integrity_check", { simple: true }));
  if (state !== "ok") throw new Error(state);
  db.exec("INSERT INTO search_index(search_index) VALUES ('integrity-check')");
  checkAgreement(db);
}
