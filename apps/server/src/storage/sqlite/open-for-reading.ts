import Database from "better-sqlite3";
import { busyTimeoutMs } from "./pragmas.js";

/**
 * Opens the database in `file` by a connection that cannot write; whoever opens it closes it. A transaction that a crash has cut
 * off is rolled back before, as any program does that opens the database and may write: until then, nothing of it can be read.
 */
export function openForReading(file: string): Database.Database {
  const open = (readonly: boolean) => {
    const db = new Database(file, { readonly, fileMustExist: true, timeout: busyTimeoutMs });
    try {
      // The first look at the file finds the journal of such a transaction; with the right to write, it also ends it.
      db.pragma("schema_version");
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  };
  try {
    return open(true);
  } catch (error) {
    if (!(error instanceof Database.SqliteError) || error.code !== "SQLITE_READONLY_ROLLBACK") throw error;
  }
  open(false).close();
  return open(true);
}
