import type { Database, Statement } from "better-sqlite3";
import type { WrittenContext } from "../../contexts/sync.store.js";
import type { Filtered } from "../../privacy/privacy-filter.js";
import type { SearchDocument } from "../../search/search-document.js";
import { inserter } from "./inserter.js";
import { ownedTerms, ownerPrefix } from "./search-owner.js";

interface IndexRow {
  rowid: number;
  terms: string;
}

interface VectorRow {
  seq: number;
  capturedAt: number;
  contextId: string;
  vector: Uint8Array;
}

interface PairsRow {
  seq: number;
  pairs: Uint8Array;
}

/** A context that is indexed. */
export interface IndexedContext {
  seq: number;
  contextId: string;
  capturedAt: number;
  search: Filtered<SearchDocument>;
}

/** Writes of the search index, each within whatever transaction is open on the connection. */
export class SearchIndex {
  readonly #owner: Statement<[string], number>;
  readonly #rows: Statement<[string, string], { seq: number; contextId: string }>;
  readonly #settle: Statement<[string]>;
  readonly #removeTerms: Statement<[number]>;
  readonly #removeVector: Statement<[number]>;
  readonly #removePairs: Statement<[number]>;
  readonly #insertTerms: (rows: readonly IndexRow[]) => void;
  readonly #insertVectors: (rows: readonly VectorRow[]) => void;
  readonly #insertPairs: (rows: readonly PairsRow[]) => void;

  constructor(connection: Database) {
    this.#owner = connection.prepare<[string], number>("SELECT owner FROM search_owners WHERE userId = ?").pluck();
    this.#rows = connection.prepare(
      `SELECT c.seq, c.contextId FROM json_each(?) j CROSS JOIN contexts c ON c.userId = ? AND c.contextId = j.value
       CROSS JOIN search_pending p ON p.seq = c.seq`,
    );
    this.#settle = connection.prepare("DELETE FROM search_pending WHERE seq IN (SELECT value FROM json_each(?))");
    this.#removeTerms = connection.prepare("DELETE FROM search_index WHERE rowid = ?");
    this.#removeVector = connection.prepare("DELETE FROM search_vectors WHERE seq = ?");
    this.#removePairs = connection.prepare("DELETE FROM search_pairs WHERE seq = ?");
    this.#insertTerms = inserter<IndexRow>(connection, "search_index", ["rowid", "terms"]);
    this.#insertVectors = inserter<VectorRow>(connection, "search_vectors", ["seq", "capturedAt", "contextId", "vector"]);
    this.#insertPairs = inserter<PairsRow>(connection, "search_pairs", ["seq", "pairs"]);
    // Prisma's adapter has integers read as BigInt; these are safe as numbers.
    for (const statement of [this.#owner, this.#rows]) statement.safeIntegers(false);
  }

  /**
   * Gives contexts of a user their place that were written in this transaction. Those without an analysis stay pending; those of which
   * nothing has changed that is searched are not, and keep the place that they have.
   */
  put(userId: string, written: readonly WrittenContext[]): void {
    const rows = this.#rows.all(JSON.stringify(written.map(({ contextId }) => contextId)), userId);
    const seqs = new Map(rows.map(({ seq, contextId }) => [contextId, seq]));
    this.add(
      userId,
      written.flatMap(({ contextId, capturedAt, search }) => {
        const seq = seqs.get(contextId);
        return search && seq !== undefined ? [{ seq, contextId, capturedAt, search }] : [];
      }),
    );
  }

  /** Takes a row out of the index. */
  remove(seq: number): void {
    this.#removeTerms.run(seq);
    this.#removeVector.run(seq);
    this.#removePairs.run(seq);
  }

  /** Gives rows of a user their place; they have none yet. */
  add(userId: string, contexts: readonly IndexedContext[]): void {
    const owner = this.#owner.get(userId);
    if (owner === undefined || contexts.length === 0) return;
    const prefix = ownerPrefix(owner);
    this.#insertTerms(contexts.map(({ seq, search }) => ({ rowid: seq, terms: ownedTerms(prefix, search.terms) })));
    this.#insertVectors(contexts.map(({ seq, contextId, capturedAt, search: { vector } }) => ({ seq, contextId, capturedAt, vector })));
    this.#insertPairs(contexts.flatMap(({ seq, search: { pairs } }) => (pairs ? [{ seq, pairs }] : [])));
    this.#settle.run(JSON.stringify(contexts.map(({ seq }) => seq)));
  }
}
