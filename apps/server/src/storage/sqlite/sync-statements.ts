import type { Database } from "better-sqlite3";
import type { Context, ProcessedMessage } from "../generated/sqlite/client.js";
import type { RulesEdition } from "../../privacy/rules.store.js";
import { fromRow, type RawRow } from "../context-row.js";
import type { StoredMessage, SyncStatements } from "../sync-transaction.js";
import { forgetProgressSql } from "./apply-statements.js";

/**
 * The statements that every sync makes, on SQLite: prepared once, where Prisma compiles and prepares
 * each call again.
 */
export function syncStatements(connection: Database): SyncStatements {
  const processed = connection.prepare<[string, string], StoredMessage>(
    `SELECT extensionId, messageId, fingerprint, privacyLevel, result, processedAt FROM processed_messages
     WHERE userId = ? AND (extensionId, messageId) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))`,
  );
  const contexts = connection.prepare<[string, string], RawRow>(
    "SELECT * FROM contexts WHERE userId = ? AND contextId IN (SELECT value FROM json_each(?))",
  );
  const tombstones = connection.prepare<[string, string], { contextId: string; deletedAt: number }>(
    "SELECT contextId, deletedAt FROM tombstones WHERE userId = ? AND contextId IN (SELECT value FROM json_each(?))",
  );
  const rulesEdition = connection.prepare<[string], RulesEdition>("SELECT version, updatedAt FROM privacy_rules WHERE userId = ?");
  const forgetProgress = connection.prepare<[string, string]>(forgetProgressSql);
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
  // Prisma's adapter has integers read as BigInt; these are times, and safe as numbers.
  for (const statement of [processed, contexts, tombstones, rulesEdition]) statement.safeIntegers(false);

  return {
    processed: async (userId, keys) =>
      processed.all(userId, JSON.stringify(keys.map(({ extensionId, messageId }) => [extensionId, messageId]))),
    contexts: async (userId, contextIds) => contexts.all(userId, JSON.stringify(contextIds)).map(fromRow),
    tombstones: async (userId, contextIds) =>
      new Map(tombstones.all(userId, JSON.stringify(contextIds)).map(({ contextId, deletedAt }) => [contextId, deletedAt])),
    rulesEdition: async (userId) => rulesEdition.get(userId) ?? null,
    forgetProgress: async (userId, policy) => void forgetProgress.run(userId, policy),
    insertContexts: async (rows) => insertContexts(rows),
    insertProcessed: async (rows) => insertProcessed(rows),
  };
}

// Rows that one statement takes, largest first: FTS5 flushes its index once a statement.
const rowsPerStatement = [50, 10, 1];

function inserter<T>(connection: Database, table: string, columns: ReadonlyArray<keyof T & string>): (rows: readonly T[]) => void {
  const names = columns.map((column) => `"${column}"`).join(", ");
  const row = `(${columns.map(() => "?").join(", ")})`;
  const statements = rowsPerStatement.map((count) => ({
    count,
    statement: connection.prepare(`INSERT INTO "${table}" (${names}) VALUES ${Array<string>(count).fill(row).join(", ")}`),
  }));
  return (rows) => {
    let next = 0;
    for (const { count, statement } of statements) {
      for (; rows.length - next >= count; next += count)
        statement.run(rows.slice(next, next + count).flatMap((values) => columns.map((column) => stored(values[column]))));
    }
  };
}

// Times are stored as milliseconds, as the adapter writes them.
function stored(value: unknown): unknown {
  return value instanceof Date ? value.getTime() : value;
}
