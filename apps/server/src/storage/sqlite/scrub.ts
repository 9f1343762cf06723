import { setTimeout as pause } from "node:timers/promises";
import Database from "better-sqlite3";
import { unavailable } from "../../domain-error.js";
import { writerPragmas } from "./pragmas.js";

/** Pages of the index that one step merges: some 2 MB, after which other writers get their turn. */
const stepPages = 500;
const retryMs = 20;
/** A search may hold the log for as long as a search may take, and others may follow. */
const waitMs = 30_000;

/**
 * Sees to it that text which was changed or removed is in no file of the database any more. The full-text index keeps the words of
 * what was removed until its parts are merged, so all are merged into one; the write-ahead log keeps old pages until it is emptied, so
 * it is. In steps, beside a running server. Throws `unavailable` when others keep the log in use.
 */
export async function scrub(file: string): Promise<void> {
  const db = new Database(file);
  try {
    // SQLite's own waiting would hold up this process; this waits between attempts.
    db.exec(`${writerPragmas} PRAGMA busy_timeout = 0;`);
    await mergeIndex(db);
    await emptyLog(db);
  } finally {
    db.close();
  }
}

/** `optimize` in steps, as FTS5's documentation has it: a negative `merge` begins it, and each further one goes on. */
async function mergeIndex(db: Database.Database): Promise<void> {
  const merge = db.prepare<[number]>("INSERT INTO search_index(search_index, rank) VALUES ('merge', ?)");
  const totalChanges = db.prepare<[], number>("SELECT total_changes()").pluck();
  const step = (pages: number) => {
    const before = totalChanges.get() ?? 0;
    merge.run(pages);
    return (totalChanges.get() ?? 0) - before;
  };
  // A step that finds nothing to merge makes fewer than two changes.
  for (let pages = -stepPages; (await retried(() => step(pages))) >= 2; pages = stepPages) await pause(1);
}

async function emptyLog(db: Database.Database): Promise<void> {
  await retried(() => {
    const [state] = db.pragma("wal_checkpoint(TRUNCATE)") as Array<{ busy: number }>;
    if (state?.busy !== 0) throw new LogInUse();
  });
}

class LogInUse extends Error {
  override readonly name = "LogInUse";
}

/** Tries again while another connection has what is wanted. */
async function retried<T>(attempt: () => T): Promise<T> {
  for (const until = performance.now() + waitMs; ; await pause(retryMs)) {
    try {
      return attempt();
    } catch (error) {
      const isBusy = error instanceof LogInUse || (error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY"));
      if (!isBusy) throw error;
      if (performance.now() > until)
        throw unavailable(
          "Another program keeps the database in use, so that removed text cannot leave it yet; try again later.",
          1,
          error,
        );
    }
  }
}
