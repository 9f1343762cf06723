import Database from "better-sqlite3";
import { statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { unavailable } from "../../domain-error.js";
import { diskFull } from "./errors.js";
import type { SqliteWriter } from "./writer.js";

/** Free space below which the disk counts as full: room for one large page with its index. */
const freeBytesMin = 8 * 2 ** 20;

/**
 * A check that the database can be used: its file is the one that was opened and is sound, its disk has space, and where the last write
 * failed, a write succeeds again. Rejects with `unavailable` or SQLite's error.
 */
export function createHealthCheck(file: string, db: Database.Database, writer: SqliteWriter): () => Promise<void> {
  const opened = statSync(file).ino;
  const write = db.prepare("UPDATE users SET revision = revision WHERE rowid = (SELECT min(rowid) FROM users)");
  return async () => {
    if (statSync(file, { throwIfNoEntry: false })?.ino !== opened)
      throw unavailable("The server's database file is gone. Restore the file and restart the server.", 5);
    readAnew(file);
    if (writer.lastWriteFailed) await writer.run(() => write.run());
    const { blocks, bavail, bsize } = statfsSync(dirname(file));
    // Some file systems report no size at all.
    if (blocks > 0 && bavail * bsize < freeBytesMin) throw unavailable(diskFull, 5);
  };
}

/** Reads the start of the file. Only a new connection does: others may have it in their cache. */
function readAnew(file: string): void {
  const db = new Database(file, { readonly: true, fileMustExist: true });
  try {
    db.pragma("schema_version");
  } finally {
    db.close();
  }
}
