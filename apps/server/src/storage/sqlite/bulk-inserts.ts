import type { Database } from "better-sqlite3";
import type { Context, ProcessedMessage } from "../generated/sqlite/client.js";
import type { BulkInserts } from "../sync-transaction.js";

/**
 * The inserts of a sync on SQLite: few statements, each with the rows as one JSON parameter. Several times as fast as `createMany`,
 * which compiles every value, and as a statement a row, each of which makes FTS5 flush its index.
 */
export function bulkInserts(connection: Database): BulkInserts {
  const insertContexts = inserter<Omit<Context, "seq">>(connection, "contexts", [
    "userId",
    "contextId",
    "type",
    "tabId",
    "extensionId",
    "capturedAt",
    "privacyLevel",
    "writtenAt",
    "lastSeenAt",
    "contentFormat",
    "url",
    "title",
    "tabMetadata",
    "metadata",
    "plainText",
    "content",
  ]);
  const insertProcessed = inserter<ProcessedMessage>(connection, "processed_messages", [
    "userId",
    "extensionId",
    "messageId",
    "fingerprint",
    "privacyLevel",
    "result",
    "processedAt",
  ]);
  return {
    contexts: async (_tx, rows) => insertContexts(rows),
    processedMessages: async (_tx, rows) => insertProcessed(rows),
  };
}

// JSON past about 100 KB would be a large object, which only a full garbage collection frees.
const parameterCharsMax = 90_000;

function inserter<T>(connection: Database, table: string, columns: ReadonlyArray<keyof T & string>): (rows: readonly T[]) => void {
  const names = columns.map((column) => `"${column}"`).join(", ");
  const values = columns.map((_, index) => `value ->> ${index}`).join(", ");
  const statement = connection.prepare<[string]>(`INSERT INTO "${table}" (${names}) SELECT ${values} FROM json_each(?)`);
  return (rows) => {
    let pending: string[] = [];
    let chars = 0;
    const flush = () => {
      if (pending.length > 0) statement.run(`[${pending.join(",")}]`);
      pending = [];
      chars = 0;
    };
    for (const row of rows) {
      const json = JSON.stringify(columns.map((column) => stored(row[column])));
      if (chars + json.length > parameterCharsMax) flush();
      pending.push(json);
      chars += json.length;
    }
    flush();
  };
}

// Times are stored as milliseconds, as the adapter writes them.
function stored(value: unknown): unknown {
  return value instanceof Date ? value.getTime() : value;
}
