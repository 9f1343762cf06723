import type { Database, Statement } from "better-sqlite3";
import type { WrittenContext } from "../../contexts/context.store.js";

/** What the terms of an owner begin with: digits and small letters, where every term goes on with a sign. */
export const ownerPrefix = (owner: number): string => owner.toString(36);

/** SQL of a list of terms with the owner's prefix before each: SQLite makes it without a copy in JavaScript's heap, which is much for a long page. */
const owned = (column: string): string => `iif(@${column} = '', '', @prefix || replace(@${column}, ' ', ' ' || @prefix))`;
const columns = ["content", "title", "meta", "forms", "filters", "urlGrams"] as const;
type IndexedRow = Record<(typeof columns)[number] | "prefix", string> & { seq: number };

/** Writes the search index, within whatever transaction is open on the connection. */
export class SearchIndexWriter {
  readonly #owner: Statement<[string], number>;
  readonly #addOwner: Statement<[string]>;
  readonly #add: Statement<[IndexedRow]>;
  readonly #addTerms: Statement<[number, number, Uint8Array]>;
  readonly #remove: Statement<[number]>;
  readonly #removeTerms: Statement<[number]>;

  constructor(db: Database) {
    this.#owner = db.prepare<[string], number>("SELECT owner FROM search_owners WHERE userId = ?").pluck();
    this.#addOwner = db.prepare("INSERT INTO search_owners (userId) VALUES (?)");
    this.#add = db.prepare(`INSERT INTO search_index (rowid, ${columns.join(", ")}) VALUES (@seq, ${columns.map(owned).join(", ")})`);
    this.#addTerms = db.prepare("INSERT INTO search_terms (seq, capturedAt, terms) VALUES (?, ?, ?)");
    this.#remove = db.prepare("DELETE FROM search_index WHERE rowid = ?");
    this.#removeTerms = db.prepare("DELETE FROM search_terms WHERE seq = ?");
  }

  /** Adds a context that is not in the index. */
  add(seq: number, { userId, capturedAt, search }: WrittenContext): void {
    const { stored, filters, impacts, ...terms } = search;
    const prefix = ownerPrefix(this.#owner.get(userId) ?? Number(this.#addOwner.run(userId).lastInsertRowid));
    this.#add.run({ ...terms, filters: `${filters} ${impacts}`.trimEnd(), seq, prefix });
    this.#addTerms.run(seq, capturedAt, stored);
  }

  remove(seq: number): void {
    this.#remove.run(seq);
    this.#removeTerms.run(seq);
  }
}
