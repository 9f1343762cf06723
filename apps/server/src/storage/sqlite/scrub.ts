import { setTimeout as pause } from "node:timers/promises";
import Database from "better-sqlite3";
import { unavailable } from "../../domain-error.js";
import { writerPragmas } from "./pragmas.js";
import type { WriteQueue } from "./write-queue.js";

/** Pages of the index that one step merges: a few milliseconds, after which other writers get their turn. */
const stepPages = 100;
/** A deletion during a merge may need a second one; whoever deletes without end is not waited for. */
const roundsMax = 3;
const retryMs = 20;
/** A search may hold the log for as long as a search may take, and others may follow. */
const waitMs = 30_000;

export interface ScrubOptions {
  file: string;
  queue: WriteQueue;
  /** The connection that the queue's transactions have. */
  writer: Database.Database;
  /** True ends it early. */
  isClosing: () => boolean;
  /** Writes the database anew: all other writers wait meanwhile, some 10 s a GB. */
  rebuild: boolean;
}

/**
 * Sees to it that text which was changed or removed before is in no file of the database any more: the full-text index keeps
 * words of what was removed until its parts are merged, so they are; the write-ahead log keeps old pages until it is emptied, so it
 * is. In steps, beside requests. Costs next to nothing when nothing was removed. Throws `unavailable` when others keep the log in use.
 *
 * Where SQLite has moved a row to another page it may leave a copy in unused room of the first, which `secure_delete` knows nothing
 * of: only `rebuild` clears that.
 */
export async function scrub(options: ScrubOptions): Promise<void> {
  if (!options.isClosing()) await mergeIndex(options);
  if (!options.isClosing()) await emptyLog(options);
}

/** `optimize` in steps, as FTS5's documentation has it: a negative `merge` begins it, and each further one goes on. */
async function mergeIndex({ queue, writer, isClosing }: ScrubOptions): Promise<void> {
  const statements = mergeStatements(writer);
  for (let round = 0; round < roundsMax; round++) {
    for (let pages = -stepPages; ; pages = stepPages) {
      if (isClosing()) return;
      const { isClean, isAtRest } = await queue.run(async () => {
        if (statements.removed.get() === undefined) return { isClean: true, isAtRest: true };
        const before = statements.changes.get() ?? 0;
        statements.merge.run(pages);
        // A step that finds nothing to merge makes fewer than two changes.
        return { isClean: false, isAtRest: (statements.changes.get() ?? 0) - before < 2 };
      });
      if (isClean) return;
      if (isAtRest) break;
    }
  }
}

/**
 * Removed rows stay listed on pages of their own, whose numbers begin here (`FTS5_TOMBSTONE_ROWID` in `fts5_index.c`), until the part
 * of the index that holds their words is merged.
 */
const firstTombstone = 2n ** 53n;

function mergeStatements(writer: Database.Database) {
  const removed = writer.prepare<[], number>(`SELECT 1 FROM search_index_data WHERE id >= ${firstTombstone} LIMIT 1`).pluck();
  const changes = writer.prepare<[], number>("SELECT total_changes()").pluck();
  // Prisma's adapter has integers read as BigInt.
  for (const statement of [removed, changes]) statement.safeIntegers(false);
  return { removed, changes, merge: writer.prepare<[number]>("INSERT INTO search_index(search_index, rank) VALUES ('merge', ?)") };
}

/** On a connection of its own, for the writer may be in a transaction. */
async function emptyLog({ file, isClosing, rebuild }: ScrubOptions): Promise<void> {
  const db = new Database(file);
  try {
    // SQLite's own waiting would hold up this process; this waits between attempts.
    db.exec(`${writerPragmas} PRAGMA busy_timeout = 0;`);
    const until = performance.now() + waitMs;
    const untilDone = async (isDone: () => boolean) => {
      while (!isClosing() && !isDone()) {
        if (performance.now() > until) throw inUse();
        await pause(retryMs);
      }
    };
    if (rebuild) await untilDone(() => isRebuilt(db));
    await untilDone(() => isEmptied(db));
  } finally {
    db.close();
  }
}

const inUse = () =>
  unavailable(
    "What was removed is gone, but another program keeps old pages of the database in use; a server clears them within the hour.",
    1,
  );

function isEmptied(db: Database.Database): boolean {
  return isFree(() => {
    const [state] = db.pragma("wal_checkpoint(TRUNCATE)") as Array<{ busy: number }>;
    return state?.busy === 0;
  });
}

function isRebuilt(db: Database.Database): boolean {
  return isFree(() => {
    db.exec("VACUUM");
    return true;
  });
}

/** What the attempt says; false when another connection has what it wants. */
function isFree(attempt: () => boolean): boolean {
  try {
    return attempt();
  } catch (error) {
    if (error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY")) return false;
    throw error;
  }
}
