import { limits } from "@periscope/schemas";
import type { Database } from "better-sqlite3";
import type { ProcessedMessage, ReplacedContext, UserChanges, UserDataStore } from "../../contexts/context.store.js";
import type { RulesVersion } from "../../privacy/rules.store.js";
import { columnValue, contextColumns, contextFromRow, type ContextRow } from "../context-columns.js";
import { SearchIndexWriter } from "./search-index-writer.js";
import type { SqliteWriter, Steps } from "./writer.js";

/** Columns of a statement that names the context itself. */
const changedColumns = contextColumns.filter(({ name }) => name !== "userId" && name !== "contextId");

/** Reads and writes of a user's data, as prepared statements. */
export function createUserDataStore(reader: Database, writerDb: Database, writer: SqliteWriter): UserDataStore {
  const readVersions = versionsReader(reader);
  const processed = reader.prepare<[string, string], ProcessedMessage>(
    `SELECT extensionId, messageId, fingerprint, privacyLevel, result, processedAt FROM processed_messages
     WHERE userId = ? AND (extensionId, messageId) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))`,
  );
  const isUpdated = "contextId IN (SELECT value FROM json_each(?))";
  const loaded = contextColumns.map(({ name }) => {
    if (name === "plainText") return `iif(${isUpdated}, plainText, NULL) AS plainText`;
    return name === "content" ? `iif(${isUpdated}, content, '') AS content` : name;
  });
  const contexts = reader.prepare<[string, string, string, string], ContextRow>(
    `SELECT ${loaded.join(", ")} FROM contexts WHERE userId = ? AND contextId IN (SELECT value FROM json_each(?))`,
  );
  const textBytes = reader
    .prepare<[string, string], number>(
      `SELECT ifnull(sum(octet_length(content) + ifnull(octet_length(plainText), 0)), 0) FROM contexts
       WHERE userId = ? AND contextId IN (SELECT value FROM json_each(?))`,
    )
    .pluck();
  const tombstones = reader.prepare<[string, string], { contextId: string; deletedAt: number }>(
    "SELECT contextId, deletedAt FROM tombstones WHERE userId = ? AND contextId IN (SELECT value FROM json_each(?))",
  );
  const write = createChangesWriter(writerDb);

  const load = reader.transaction((userId: string, keys: string, ids: string, updated: string) => {
    const versions = readVersions(userId);
    return (
      versions && {
        ...versions,
        processed: processed.all(userId, keys),
        contexts: contexts.all(updated, updated, userId, ids).map(contextFromRow),
        tombstones: new Map(tombstones.all(userId, ids).map(({ contextId, deletedAt }) => [contextId, deletedAt])),
      }
    );
  });

  return {
    load: async (userId, { messages, contextIds, updatedIds = [] }) => {
      const keys = messages.map(({ extensionId, messageId }) => [extensionId, messageId]);
      return load(userId, JSON.stringify(keys), JSON.stringify(contextIds), JSON.stringify(updatedIds));
    },
    textBytes: async (userId, contextIds) => textBytes.get(userId, JSON.stringify(contextIds)) ?? 0,
    commit: (userId, changes) => writer.runSteps(() => write(userId, changes)),
  };
}

/** Reads the revision of a user's data and the version of their rules; null when there is no such user. */
export function versionsReader(db: Database): (userId: string) => { revision: number; rulesVersion: RulesVersion | null } | null {
  const revision = db.prepare<[string], number>("SELECT revision FROM users WHERE userId = ?").pluck();
  const rulesVersion = db.prepare<[string], RulesVersion>("SELECT version, updatedAt FROM privacy_rules WHERE userId = ?");
  return (userId) => {
    const known = revision.get(userId);
    return known === undefined ? null : { revision: known, rulesVersion: rulesVersion.get(userId) ?? null };
  };
}

/** Counts a write to a user's data; false when the user's data has changed since `revision`, or the user is gone. */
export function revisionCounter(db: Database): (userId: string, revision: number) => boolean {
  const count = db.prepare<[string, number]>("UPDATE users SET revision = revision + 1 WHERE userId = ? AND revision = ?");
  return (userId, revision) => count.run(userId, revision).changes > 0;
}

/** Deletes a context and leaves a tombstone newer than what it deletes, so that no replay brings it back; false when there is none. */
export function deleteTombstoned(db: Database): (userId: string, contextId: string, at: number) => boolean {
  const read = db.prepare<[string, string], number>("SELECT writtenAt FROM contexts WHERE userId = ? AND contextId = ?").pluck();
  const remove = db.prepare<[string, string]>("DELETE FROM contexts WHERE userId = ? AND contextId = ?");
  const insertTombstone = tombstoneWriter(db);
  const count = db.prepare<[string]>("UPDATE users SET revision = revision + 1 WHERE userId = ?");
  return (userId, contextId, at) => {
    const writtenAt = read.get(userId, contextId);
    if (writtenAt === undefined) return false;
    count.run(userId);
    remove.run(userId, contextId);
    // A message of the tombstone's own time is newer than it: one of the time that wrote the context must not be.
    insertTombstone.run(userId, contextId, Math.max(at, writtenAt + 1), at);
    return true;
  };
}

/** Deletes contexts and leaves their tombstones, within the open transaction. */
export function contextRemover(db: Database): (userId: string, changes: Pick<UserChanges, "removed" | "now">) => Iterable<void> {
  const remove = db.prepare<[string, string]>("DELETE FROM contexts WHERE userId = ? AND contextId = ?");
  const insertTombstone = tombstoneWriter(db);
  return function* (userId, { removed, now }) {
    for (const { contextId, deletedAt } of removed) {
      remove.run(userId, contextId);
      insertTombstone.run(userId, contextId, deletedAt, now);
      yield;
    }
  };
}

const tombstoneWriter = (db: Database) =>
  db.prepare<[string, string, number, number]>(
    "INSERT OR REPLACE INTO tombstones (userId, contextId, deletedAt, storedAt) VALUES (?, ?, ?, ?)",
  );

/** Replaces contexts, and their entries in the search index where these change; they keep their place in the order of arrival. */
export function contextReplacer(db: Database): (userId: string, context: ReplacedContext) => void {
  const replace = db
    .prepare<unknown[], number>(
      `UPDATE contexts SET ${changedColumns.map(({ name }) => `${name} = ?`).join(", ")} WHERE userId = ? AND contextId = ? RETURNING seq`,
    )
    .pluck();
  const index = new SearchIndexWriter(db);
  return (userId, context) => {
    const seq = replace.get(...changedColumns.map((column) => columnValue(context, column)), userId, context.contextId);
    if (seq === undefined) throw new Error("a context to replace is not there");
    if (!context.search) return;
    index.remove(seq);
    index.add(seq, { ...context, search: context.search });
  };
}

/** Whatever is written under a policy has not passed any other: drops the progress of filtering again under another policy. */
export const dropProgressSql = "DELETE FROM privacy_progress WHERE userId = ? AND policy <> ?";

/** Writes all changes within the open transaction; false, with nothing written, when they were made from an older state. */
function createChangesWriter(db: Database): (userId: string, changes: UserChanges) => Steps<boolean> {
  const countRevision = revisionCounter(db);
  const dropProgress = db.prepare<[string, string]>(dropProgressSql);
  const insert = db.prepare(
    `INSERT INTO contexts (${contextColumns.map(({ name }) => name).join(", ")}) VALUES (${contextColumns.map(() => "?").join(", ")})`,
  );
  const index = new SearchIndexWriter(db);
  const replace = contextReplacer(db);
  const view = db.prepare<[number | null, number | null, string, string]>(
    "UPDATE contexts SET viewedAt = ?, lastSeenAt = ? WHERE userId = ? AND contextId = ?",
  );
  const remove = contextRemover(db);
  const deleteTombstone = db.prepare<[string, string]>("DELETE FROM tombstones WHERE userId = ? AND contextId = ?");
  const insertProcessed = db.prepare<[string, string, string, string, string, string, number]>(
    "INSERT INTO processed_messages (userId, extensionId, messageId, fingerprint, privacyLevel, result, processedAt) VALUES (?, ?, ?, ?, ?, ?, ?)",
  );
  // The later time it was seen, the newer config.
  const upsertExtension = db.prepare<[string, string, number, string | null, number | null]>(
    `INSERT INTO extensions (userId, extensionId, lastSeenAt, config, configAt) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (userId, extensionId) DO UPDATE SET lastSeenAt = max(lastSeenAt, excluded.lastSeenAt),
       config = iif(excluded.configAt >= ifnull(configAt, excluded.configAt), excluded.config, config),
       configAt = iif(excluded.configAt >= ifnull(configAt, excluded.configAt), excluded.configAt, configAt)`,
  );
  const insertError = db.prepare<[string, string, string, string, string | null, number]>(
    "INSERT INTO extension_errors (userId, extensionId, code, message, details, occurredAt) VALUES (?, ?, ?, ?, ?, ?)",
  );
  const trimReports = db.prepare<[string, string]>(
    `DELETE FROM extension_errors WHERE userId = ? AND seq <=
       (SELECT seq FROM extension_errors WHERE userId = ? ORDER BY seq DESC LIMIT 1 OFFSET ${limits.extensionErrorsMax})`,
  );

  return function* (userId, changes) {
    if (!countRevision(userId, changes.revision)) return false;
    dropProgress.run(userId, changes.policy);
    yield* remove(userId, changes);
    for (const contextId of changes.revived) deleteTombstone.run(userId, contextId);
    for (const context of changes.created) {
      const { lastInsertRowid } = insert.run(...contextColumns.map((column) => columnValue(context, column)));
      index.add(Number(lastInsertRowid), context);
      yield;
    }
    for (const context of changes.replaced) {
      replace(userId, context);
      yield;
    }
    for (const { contextId, viewedAt, lastSeenAt } of changes.viewed) view.run(viewedAt, lastSeenAt, userId, contextId);
    for (const { extensionId, lastSeenAt, config } of changes.extensions)
      upsertExtension.run(userId, extensionId, lastSeenAt, config?.json ?? null, config?.at ?? null);
    for (const { extensionId, code, message, details, occurredAt } of changes.errors)
      insertError.run(userId, extensionId, code, message, details, occurredAt);
    if (changes.errors.length > 0) trimReports.run(userId, userId);
    for (const { extensionId, messageId, fingerprint, privacyLevel, result, processedAt } of changes.processed)
      insertProcessed.run(userId, extensionId, messageId, fingerprint, privacyLevel, result, processedAt);
    return true;
  };
}
