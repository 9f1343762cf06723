import type { Database } from "better-sqlite3";
import { statSync } from "node:fs";
import { unavailable } from "../../domain-error.js";
import type { SqliteWriter } from "./writer.js";

/**
 * A check that the database can be used: its file is the one that was opened, it can be read, and where the last write failed, such as on
 * a full disk, a write succeeds again. Rejects with `unavailable` or SQLite's error.
 */
export function createHealthCheck(file: string, db: Database, writer: SqliteWriter): () => Promise<void> {
  const opened = statSync(file).ino;
  const read = db.prepare("SELECT 1 FROM users LIMIT 1");
  const write = db.prepare("UPDATE users SET revision = revision WHERE rowid = (SELECT min(rowid) FROM users)");
  return async () => {
    if (statSync(file, { throwIfNoEntry: false })?.ino !== opened)
      throw unavailable("The server's database file is gone. Restore the file and restart the server.", 5);
    if (writer.lastWriteFailed) await writer.run(() => write.run());
    else read.get();
  };
}
