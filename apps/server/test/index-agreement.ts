import type Database from "better-sqlite3";
import { searchDocument } from "../src/search/search-document.js";
import { contextFromRow, type ContextRow } from "../src/storage/context-columns.js";
import { ownedTerms, ownerPrefix } from "../src/storage/sqlite/search-index-writer.js";

/** Checks that every context has the entry in the search index that its row makes, and that there are no others; throws when not. */
export function checkAgreement(db: Database.Database): void {
  const rows = db.prepare<[], ContextRow & { seq: number }>("SELECT * FROM contexts ORDER BY seq").all();
  const stored = db.prepare<[], { seq: number; terms: Buffer }>("SELECT seq, terms FROM search_terms ORDER BY seq").all();
  const indexed = db.prepare<[], number>("SELECT id FROM search_index_docsize ORDER BY id").pluck().all();
  const seqs = rows.map(({ seq }) => seq).join();
  if (stored.map(({ seq }) => seq).join() !== seqs || indexed.join() !== seqs)
    throw new Error("the search index has other rows than the contexts");
  const owners = new Map(db.prepare<[], [string, number]>("SELECT userId, owner FROM search_owners").raw().all());
  const terms = termsByRow(db);
  for (const [index, row] of rows.entries()) {
    const expected = searchDocument(contextFromRow(row));
    if (!stored[index]?.terms.equals(expected.stored))
      throw new Error(`context ${String(row.contextId)} has other stored terms than its text makes`);
    const prefix = ownerPrefix(owners.get(String(row.userId)) ?? 0);
    const lists = [expected.content, expected.title, expected.meta, expected.forms, expected.filters, expected.urlGrams];
    // The tokenizer of the index folds capital letters of ASCII, of which only URLs of other alphabets have any.
    const wanted = lists.flatMap((list, column) =>
      ownedTerms(prefix, list)
        .split(" ")
        .flatMap((term) => (term === "" ? [] : `${column} ${term}`)),
    );
    if (wanted.toSorted().join("\n") !== (terms.get(row.seq) ?? []).toSorted().join("\n"))
      throw new Error(`context ${String(row.contextId)} is indexed by other terms than its text makes`);
  }
}

const columns = ["content", "title", "meta", "forms", "filters", "urlGrams"];

/** Every occurrence of a term in the index, by row: the number of its column, and the term. */
function termsByRow(db: Database.Database): Map<number, string[]> {
  db.exec("CREATE VIRTUAL TABLE IF NOT EXISTS temp.occurrences USING fts5vocab('main', 'search_index', 'instance')");
  const byRow = new Map<number, string[]>();
  for (const { doc, term, col } of db
    .prepare<[], { doc: number; term: string; col: string }>("SELECT doc, term, col FROM temp.occurrences")
    .iterate())
    byRow.set(doc, [...(byRow.get(doc) ?? []), `${columns.indexOf(col)} ${term}`]);
  return byRow;
}
