import Database from "better-sqlite3";

/**
 * Takes the lock on `file`, creating it, for as long as the result is not disposed; null when another process, or this
 * one, has it for longer than `waitMs`. SQLite keeps it as a lock of the operating system, so it ends with the process,
 * however that ends.
 */
export function takeServerLock(file: string, waitMs: number): Disposable | null {
  const db = new Database(file, { timeout: waitMs });
  try {
    // Nothing is ever written: with the journal in memory, no second file appears.
    db.pragma("journal_mode = MEMORY");
    db.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    db.close();
    if (error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY")) return null;
    throw error;
  }
  return { [Symbol.dispose]: () => void db.close() };
}
