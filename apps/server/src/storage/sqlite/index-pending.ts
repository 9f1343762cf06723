import Connection, { type Database } from "better-sqlite3";
import { searchDocument } from "../../search/search-document.js";
import { fromForeignRow, type RawRow } from "../context-row.js";
import { writerPragmas } from "./pragmas.js";
import { SearchIndex } from "./search-index.js";

/** Contexts that are indexed by one transaction, so that writers get their turn in between. */
const sliceRows = 20;
/** Bytes of content after which a slice ends. */
const sliceBytes = 500_000;

interface PendingRow extends RawRow {
  seq: number;
  version: number;
}

/** Where pending contexts are read and indexed. */
export interface PendingWork {
  reader: Database;
  writer: Database;
  /** Runs work on the writer in a transaction. */
  transact: (work: () => void) => Promise<void>;
}

/**
 * Gives contexts their place in the search index that were stored without one: those from before a migration, or written by other
 * hands. The newest come first. Each call does a slice and says whether more may be left. Safe beside other processes that do the same:
 * a row that changed, or that another one took, since it was read is left to them.
 */
export async function indexPending({ reader, writer, transact }: PendingWork): Promise<boolean> {
  const read = reader.prepare<[number], PendingRow>(
    "SELECT c.*, p.version FROM search_pending p JOIN contexts c ON c.seq = p.seq ORDER BY p.seq DESC LIMIT ?",
  );
  const rows: PendingRow[] = [];
  let bytes = 0;
  for (const row of read.iterate(sliceRows)) {
    rows.push(row);
    bytes += row.content.length;
    if (bytes > sliceBytes) break;
  }
  if (rows.length === 0) return false;
  const analysed = rows.map((row) => ({ row, search: searchDocument(fromForeignRow(row)) }));
  const isCurrent = writer.prepare<[number, number], number>("SELECT 1 FROM search_pending WHERE seq = ? AND version = ?").pluck();
  const index = new SearchIndex(writer);
  await transact(() => {
    for (const { row, search } of analysed) {
      if (isCurrent.get(row.seq, row.version) === undefined) continue;
      index.remove(row.seq);
      index.add(row.userId, [{ seq: row.seq, contextId: row.contextId, capturedAt: Number(row.capturedAt), search }]);
    }
  });
  return true;
}

/** Indexes what is pending slice by slice, until nothing is left or `isClosing`. What fails is left to the next start. */
export async function indexInBackground(work: PendingWork, isClosing: () => boolean): Promise<void> {
  try {
    while (!isClosing() && (await indexPending(work))) await new Promise(setImmediate);
  } catch {
    // A database that is gone or locked is told to those who ask something of it.
  }
}

/** Indexes all that is pending in the database at `file`. */
export async function indexAllPending(file: string): Promise<void> {
  const db = new Connection(file);
  try {
    db.exec(writerPragmas);
    const transact = async (work: () => void): Promise<void> => db.transaction(work).immediate();
    while (await indexPending({ reader: db, writer: db, transact }));
  } finally {
    db.close();
  }
}
