import Database from "better-sqlite3";
import { hasCode } from "../faults.js";

/** How long a statement waits for another process's write, in milliseconds. */
export const busyTimeoutMs = 10_000;
/** How long to wait between two tries to get the write lock, where the process must not be held up. */
export const lockRetryMs = 10;

/**
 * Settings of every connection that writes. FULL is said each time: this build's default in WAL mode is NORMAL, which may lose
 * acknowledged writes on power loss. Deleted data is overwritten with zeros, or stays on a free page until `scrub` gives the page back:
 * `auto_vacuum`, which holds from the creation of the file on, can do that in small steps.
 */
export const writerPragmas = `PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = FAST; PRAGMA busy_timeout = ${busyTimeoutMs};`;

/** Bounds a connection's page cache, in MiB. The build's default is 16; what is read again and again stays in the system's cache anyway. */
export const cachePragma = (mebibytes: number): string => `PRAGMA cache_size = ${-1024 * mebibytes};`;

/** A connection that writes. @param waits whether a statement waits for another process's write, which holds up this whole process */
export function openWriter(file: string, { waits = true } = {}): Database.Database {
  const db = new Database(file);
  db.exec(writerPragmas + cachePragma(8) + (waits ? "" : "PRAGMA busy_timeout = 0;"));
  return db;
}

/** A connection that cannot write. */
export function openReader(file: string): Database.Database {
  const db = new Database(file, { readonly: true, fileMustExist: true });
  try {
    db.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}; ${cachePragma(4)}`);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Whether another connection has the lock that was wanted. */
export const isBusy = (error: unknown): boolean => hasCode(error, /^SQLITE_BUSY/);

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
    if (isBusy(error)) return null;
    throw error;
  }
  return { [Symbol.dispose]: () => void db.close() };
}
