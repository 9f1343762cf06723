import type Database from "better-sqlite3";
import { searchDocument } from "../src/search/search-document.js";
import { fromRow, type RawRow } from "../src/storage/context-row.js";
import { ownedTerms, ownerPrefix } from "../src/storage/sqlite/search-owner.js";

interface VectorRow {
  seq: number;
  capturedAt: number;
  contextId: string;
  vector: Buffer;
}

/** Whether every context has the place in the search index that its row makes, and nothing else has one; throws when not. */
export function checkAgreement(db: Database.Database): void {
  const rows = db.prepare<[], RawRow & { seq: number }>("SELECT * FROM contexts ORDER BY seq").all();
  const pending = db.prepare<[], number>("SELECT seq FROM search_pending").pluck().all();
  if (pending.length > 0) throw new Error(`contexts ${pending.join(", ")} wait for their place in the search index`);
  checkCounts(db, rows);
  const prefixes = checkOwners(db, rows);
  const vectors = db.prepare<[], VectorRow>("SELECT * FROM search_vectors ORDER BY seq").all();
  const seqs = (of: ReadonlyArray<{ seq: number }>) => of.map(({ seq }) => seq).join();
  const indexed = db.prepare<[], number>("SELECT id FROM search_index_docsize ORDER BY id").pluck().all();
  if (seqs(vectors) !== seqs(rows) || indexed.join() !== seqs(rows)) throw new Error("the search index has other rows than the contexts");
  const pairs = new Map(db.prepare<[], [number, Buffer]>("SELECT seq, pairs FROM search_pairs").raw().all());
  const terms = termsByRow(db);
  for (const [index, row] of rows.entries()) {
    const expected = searchDocument(fromRow(row));
    const vector = vectors[index];
    if (!vector?.vector.equals(expected.vector) || vector.contextId !== row.contextId || vector.capturedAt !== row.capturedAt)
      throw new Error(`context ${row.contextId} has another vector than its text makes`);
    const filter = pairs.get(row.seq);
    pairs.delete(row.seq);
    if (Buffer.compare(filter ?? Buffer.of(), expected.pairs ?? Buffer.of()) !== 0)
      throw new Error(`context ${row.contextId} has another filter of pairs than its text makes`);
    const wanted = ownedTerms(prefixes.get(row.userId) ?? "", expected.terms).split(" ");
    if (wanted.toSorted().join(" ") !== terms.get(row.seq)?.toSorted().join(" "))
      throw new Error(`context ${row.contextId} is indexed by other words than its text makes`);
  }
  if (pairs.size > 0) throw new Error(`pairs of rows ${[...pairs.keys()].join(", ")}, which are gone`);
}

/** Counts that are kept are those of the rows. */
function checkCounts(db: Database.Database, rows: readonly RawRow[]): void {
  const counted = db
    .prepare<[], Record<"userId" | "type" | "privacyLevel", string> & { contexts: number }>("SELECT * FROM context_counts")
    .all();
  for (const { userId, type, privacyLevel, contexts } of counted) {
    const found = rows.filter((row) => row.userId === userId && row.type === type && row.privacyLevel === privacyLevel);
    if (found.length !== contexts) throw new Error(`${userId} has not ${contexts} contexts of ${type} and ${privacyLevel}`);
  }
}

/** What each user's terms begin with, once it is known that users and their numbers of contexts are right. */
function checkOwners(db: Database.Database, rows: readonly RawRow[]): Map<string, string> {
  const owners = db.prepare<[], { owner: number; userId: string; contexts: number }>("SELECT * FROM search_owners").all();
  const users = db.prepare<[], string>("SELECT userId FROM users").pluck().all();
  for (const { userId, contexts } of owners) {
    if (!users.includes(userId)) throw new Error(`the search index knows ${userId}, who is gone`);
    if (rows.filter((row) => row.userId === userId).length !== contexts) throw new Error(`${userId} has not ${contexts} contexts`);
  }
  return new Map(owners.map(({ owner, userId }) => [userId, ownerPrefix(owner)]));
}

function termsByRow(db: Database.Database): Map<number, string[]> {
  db.exec("CREATE VIRTUAL TABLE IF NOT EXISTS temp.places USING fts5vocab('main', 'search_index', 'instance')");
  const terms = new Map<number, string[]>();
  for (const { term, doc } of db.prepare<[], { term: string; doc: number }>("SELECT term, doc FROM temp.places").iterate()) {
    const known = terms.get(doc);
    if (known) known.push(term);
    else terms.set(doc, [term]);
  }
  return terms;
}
