import { existsSync } from "node:fs";
import type Database from "better-sqlite3";
import type { CopyMark } from "../copy/copy-ends.js";
import { HalfCopied, markTable, readMark } from "../copy/half-copied.js";
import { hasTable } from "./has-table.js";
import { openForReading } from "./open-for-reading.js";

/** The mark of a copy that has not come to its end. */
export function markOf(db: Database.Database): CopyMark | undefined {
  if (!hasTable(db, markTable)) return undefined;
  const mark = db.prepare<[], string>(`SELECT "mark" FROM "${markTable}"`).pluck().get();
  return mark === undefined ? undefined : readMark(mark);
}

/** Throws {@link HalfCopied} when the database is a copy that has not come to its end. */
export function refuseHalfCopied(file: string): void {
  const mark = reading(file, markOf);
  if (mark) throw new HalfCopied(mark);
}

/** What `work` says of the database; undefined when there is none. */
export function reading<T>(file: string, work: (db: Database.Database) => T): T | undefined {
  if (!existsSync(file)) return undefined;
  const db = openForReading(file);
  try {
    return work(db);
  } finally {
    db.close();
  }
}
