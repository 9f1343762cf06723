import Database from "better-sqlite3";
import { checkAgreement } from "./index-agreement.js";

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
