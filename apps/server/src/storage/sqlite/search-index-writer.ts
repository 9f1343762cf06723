import type { Database, Statement } from "better-sqlite3";
import type { WrittenContext } from "../../contexts/context.store.js";

/** What the terms of an owner begin with: digits and small letters, where every term goes on with a sign. */
export const ownerPrefix = (owner: number): string => owner.toString(36);

/** Puts the owner's prefix before each term of a list. */
export function ownedTerms(prefix: string, terms: string): string {
  return terms === "" ? "" : prefix + terms.replaceAll(" ", ` ${prefix}`);
}

/** Writes the search index, within whatever transaction is open on the connection. */
export class SearchIndexWriter {
  readonly #owner: Statement<[string], number>;
  readonly #addOwner: Statement<[string]>;
  readonly #add: Statement<[number, string, string, string, string, string, string]>;
  readonly #addTerms: Statement<[number, number, Uint8Array]>;
  readonly #remove: Statement<[number]>;
  readonly #removeTerms: Statement<[number]>;

  constructor(db: Database) {
    this.#owner = db.prepare<[string], number>("SELECT owner FROM search_owners WHERE userId = ?").pluck();
    this.#addOwner = db.prepare("INSERT INTO search_owners (userId) VALUES (?)");
    this.#add = db.prepare("INSERT INTO search_index (rowid, content, title, meta, forms, filters, urlGrams) VALUES (?, ?, ?, ?, ?, ?, ?)");
    this.#addTerms = db.prepare("INSERT INTO search_terms (seq, capturedAt, terms) VALUES (?, ?, ?)");
    this.#remove = db.prepare("DELETE FROM search_index WHERE rowid = ?");
    this.#removeTerms = db.prepare("DELETE FROM search_terms WHERE seq = ?");
  }

  /** Adds a context that is not in the index. */
  add(seq: number, { userId, capturedAt, search }: WrittenContext): void {
    const { title, meta, content, forms, filters, impacts, urlGrams, stored } = search;
    const prefix = ownerPrefix(this.#owner.get(userId) ?? Number(this.#addOwner.run(userId).lastInsertRowid));
    const owned = (terms: string): string => ownedTerms(prefix, terms);
    this.#add.run(seq, owned(content), owned(title), owned(meta), owned(forms), owned(`${filters} ${impacts}`.trimEnd()), owned(urlGrams));
    this.#addTerms.run(seq, capturedAt, stored);
  }

  remove(seq: number): void {
    this.#remove.run(seq);
    this.#removeTerms.run(seq);
  }
}
