import type { Database } from "better-sqlite3";
import type { SqliteWriter } from "./writer.js";

/** Rows that one transaction deletes: a few milliseconds, after which others get their turn. */
const sliceRows = 1000;

/** Drops replay records and tombstones stored before `before`, slice by slice, until none is left or `isClosing`. */
export async function pruneRecords(db: Database, writer: SqliteWriter, before: number, isClosing: () => boolean): Promise<void> {
  const slices = [
    db.prepare<[number]>(
      `DELETE FROM processed_messages WHERE (userId, extensionId, messageId) IN
        (SELECT userId, extensionId, messageId FROM processed_messages WHERE processedAt < ? LIMIT ${sliceRows})`,
    ),
    db.prepare<[number]>(
      `DELETE FROM tombstones WHERE (userId, contextId) IN (SELECT userId, contextId FROM tombstones WHERE storedAt < ? LIMIT ${sliceRows})`,
    ),
  ];
  for (const slice of slices) while (!isClosing() && (await writer.run(() => slice.run(before).changes)) === sliceRows);
}
