import Database from "better-sqlite3";
import { statSync, writeFileSync } from "node:fs";

/**
 * Overwrites the whole file of a database that has a user. Connections keep the pages that they have read until one of them writes,
 * so one that has all that it needs for a write writes once more.
 */
export function destroyDatabase(file: string): void {
  const db = new Database(file);
  const write = db.prepare("UPDATE users SET createdAt = createdAt + 1");
  for (let round = 0; round < 2; round++) {
    write.run();
    db.pragma("wal_checkpoint(TRUNCATE)");
  }
  writeFileSync(file, Buffer.alloc(statSync(file).size, 7), { flag: "r+" });
  write.run();
  db.close();
}
