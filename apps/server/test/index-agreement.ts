import type Database from "better-sqlite3";
import { searchDocument } from "../src/search/search-document.js";
import { contextFromRow, type ContextRow } from "../src/storage/context-columns.js";
import { ownerPrefix } from "../src/storage/sqlite/search-index-writer.js";

const columns = ["title", "meta", "content", "forms", "filters", "urlGrams"] as const;

/** Throws unless the search index has exactly the entries that the stored contexts make. */
export function checkAgreement(db: Database.Database): void {
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
