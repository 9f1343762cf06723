import type { Database } from "better-sqlite3";
import { inserter } from "./inserter.js";
import { SearchIndex } from "./search-index.js";
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
  const index = new SearchIndex(connection);
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
    indexContexts: async (userId, written) => index.put(userId, written),
  };
}
