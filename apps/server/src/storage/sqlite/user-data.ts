import { limits } from "@periscope/schemas";
import type { Database } from "better-sqlite3";
import { levelsUpTo } from "../../access/access.store.js";
import type { ProcessedMessage, ReplacedContext, UserChanges, UserDataStore } from "../../contexts/context.store.js";
import type { ContextChange, GoneContext } from "../../live/live.store.js";
import type { RulesVersion } from "../../privacy/rules.store.js";
import type { Refiltered } from "../../contexts/refiltered.js";
import { columnValue, contextColumns, contextFromRow, type ContextRow, readColumns } from "../context-columns.js";
import type { SqliteLiveStore } from "./live.js";
import { dialect } from "./sql.js";
import { searchIndexWriter } from "./search-index.js";
import type { SqliteWriter, Steps } from "./writer.js";

/** Columns of a statement that names the context itself. */
const changedColumns = contextColumns.filter(({ name }) => name !== "userId" && name !== "contextId");

export interface UserDataStoreOptions {
  reader: Database;
  writerDb: Database;
  writer: SqliteWriter;
  /** Records what every write changes. */
  live: SqliteLiveStore;
}

/** Reads and writes of a user's data, as prepared statements. */
export function createUserDataStore({ reader, writerDb, writer, live }: UserDataStoreOptions): UserDataStore {
  const readRevision = reader.prepare<[string], number>("SELECT revision FROM users WHERE userId = ?").pluck();
  const rulesVersion = reader.prepare<[string], RulesVersion>("SELECT version, updatedAt FROM privacy_rules WHERE userId = ?");
  const processed = reader.prepare<[string, string], ProcessedMessage>(
    `SELECT extensionId, messageId, fingerprint, privacyLevel, result, processedAt FROM processed_messages
     WHERE userId = ? AND (extensionId, messageId) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))`,
  );
  const isUpdated = "contextId IN (SELECT value FROM json_each(?))";
  const loaded = readColumns(dialect, {
    plainText: `iif(${isUpdated}, plainText, NULL)`,
    content: `iif(${isUpdated}, content, '')`,
  });
  const contexts = reader.prepare<[string, string, string, string], ContextRow>(
    `SELECT ${loaded} FROM contexts WHERE userId = ? AND contextId IN (SELECT value FROM json_each(?))`,
  );
  const textBytes = reader
    .prepare<[string, string, string], number>(
      `SELECT ifnull(sum(octet_length(content) + ifnull(octet_length(plainText), 0)), 0) FROM contexts
       WHERE userId = ? AND contextId IN (SELECT value FROM json_each(?)) AND privacyLevel IN (SELECT value FROM json_each(?))`,
    )
    .pluck();
  const tombstones = reader.prepare<[string, string], { contextId: string; deletedAt: number }>(
    "SELECT contextId, deletedAt FROM tombstones WHERE userId = ? AND contextId IN (SELECT value FROM json_each(?))",
  );
  const write = createChangesWriter(writerDb);

  const load = reader.transaction((userId: string, keys: string, ids: string, updated: string) => {
    const revision = readRevision.get(userId);
    if (revision === undefined) return null;
    return {
      revision,
      rulesVersion: rulesVersion.get(userId) ?? null,
      processed: processed.all(userId, keys),
      contexts: contexts.all(updated, updated, userId, ids).map(contextFromRow),
      tombstones: new Map(tombstones.all(userId, ids).map(({ contextId, deletedAt }) => [contextId, deletedAt])),
    };
  });

  return {
    load: async (userId, { messages, contextIds, updatedIds = [] }) => {
      const keys = messages.map(({ extensionId, messageId }) => [extensionId, messageId]);
      return load(userId, JSON.stringify(keys), JSON.stringify(contextIds), JSON.stringify(updatedIds));
    },
    textBytes: async ({ userId, maxPrivacyLevel }, contextIds) =>
      textBytes.get(userId, JSON.stringify(contextIds), JSON.stringify(levelsUpTo(maxPrivacyLevel))) ?? 0,
    async commit(userId, changes) {
      const onCommit = (changed: ContextChange[] | null) => changed && live.record(userId, changes.revision + 1, changed, changes.now);
      return (await writer.runSteps(() => write(userId, changes), onCommit)) !== null;
    },
  };
}

/** Replaces contexts, and their entries in the search index where these change; they keep their place in the order of arrival. */
function contextReplacer(db: Database): (userId: string, context: ReplacedContext) => void {
  const replace = db
    .prepare<unknown[], number>(
      `UPDATE contexts SET ${changedColumns.map(({ name }) => `${name} = ?`).join(", ")} WHERE userId = ? AND contextId = ? RETURNING seq`,
    )
    .pluck();
  const index = searchIndexWriter(db);
  return (userId, context) => {
    const seq = replace.get(...changedColumns.map((column) => columnValue(context, column)), userId, context.contextId);
    if (seq === undefined) throw new Error("a context to replace is not there");
    if (!context.search) return;
    index.remove(seq);
    index.add(seq, { ...context, search: context.search });
  };
}

/** Writes all changes within the open transaction; null, with nothing written, when they were made from an older state. */
function createChangesWriter(db: Database): (userId: string, changes: UserChanges) => Steps<ContextChange[] | null> {
  // Not when the user's data has changed since, or the user is gone.
  const countRevision = db.prepare<[string, number]>("UPDATE users SET revision = revision + 1 WHERE userId = ? AND revision = ?");
  // Whatever is written under a policy has not passed any other.
  const dropProgress = db.prepare<[string, string]>("DELETE FROM privacy_progress WHERE userId = ? AND policy <> ?");
  const insert = db.prepare(
    `INSERT INTO contexts (${contextColumns.map(({ name }) => name).join(", ")}) VALUES (${contextColumns.map(() => "?").join(", ")})`,
  );
  const index = searchIndexWriter(db);
  const replace = contextReplacer(db);
  const view = db.prepare<[number | null, number | null, string, string]>(
    "UPDATE contexts SET viewedAt = ?, lastSeenAt = ? WHERE userId = ? AND contextId = ?",
  );
  const remove = db.prepare<[string, string], GoneContext>(
    "DELETE FROM contexts WHERE userId = ? AND contextId = ? RETURNING type, tabId, extensionId, privacyLevel",
  );
  const insertTombstone = db.prepare<[string, string, number, number]>(
    "INSERT OR REPLACE INTO tombstones (userId, contextId, deletedAt, storedAt) VALUES (?, ?, ?, ?)",
  );
  const deleteTombstone = db.prepare<[string, string]>("DELETE FROM tombstones WHERE userId = ? AND contextId = ?");
  const insertProcessed = db.prepare<[string, string, string, string, string, string, number]>(
    "INSERT INTO processed_messages (userId, extensionId, messageId, fingerprint, privacyLevel, result, processedAt) VALUES (?, ?, ?, ?, ?, ?, ?)",
  );
  // The later time it was seen, the newer config.
  const upsertExtension = db.prepare<[string, string, number, string | null, number | null, string | null]>(
    `INSERT INTO extensions (userId, extensionId, lastSeenAt, config, configAt, keyId) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (userId, extensionId) DO UPDATE SET lastSeenAt = max(lastSeenAt, excluded.lastSeenAt), keyId = ifnull(excluded.keyId, keyId),
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
  const writeRefiltered = createRefilteredWriter(db);

  return function* (userId, changes) {
    const { created, replaced, viewed, removed, now } = changes;
    if (countRevision.run(userId, changes.revision).changes === 0) return null;
    dropProgress.run(userId, changes.policy);
    const removals: ContextChange[] = [];
    for (const { contextId, deletedAt } of removed) {
      // There may be no such context.
      const gone = remove.get(userId, contextId);
      if (gone) removals.push({ kind: "deleted", contextId, gone });
      insertTombstone.run(userId, contextId, deletedAt, now);
      yield;
    }
    for (const contextId of changes.revived) deleteTombstone.run(userId, contextId);
    for (const context of created) {
      const { lastInsertRowid } = insert.run(...contextColumns.map((column) => columnValue(context, column)));
      index.add(Number(lastInsertRowid), context);
      yield;
    }
    for (const context of replaced) {
      replace(userId, context);
      yield;
    }
    for (const { contextId, viewedAt, lastSeenAt } of viewed) {
      // Writes the whole row again, with its content.
      view.run(viewedAt, lastSeenAt, userId, contextId);
      yield;
    }
    for (const { extensionId, lastSeenAt, config, keyId = null } of changes.extensions)
      upsertExtension.run(userId, extensionId, lastSeenAt, config?.json ?? null, config?.at ?? null, keyId);
    for (const { extensionId, code, message, details, occurredAt } of changes.errors)
      insertError.run(userId, extensionId, code, message, details, occurredAt);
    if (changes.errors.length > 0) trimReports.run(userId, userId);
    for (const { extensionId, messageId, fingerprint, privacyLevel, result, processedAt } of changes.processed)
      insertProcessed.run(userId, extensionId, messageId, fingerprint, privacyLevel, result, processedAt);
    if (changes.refiltered) writeRefiltered(userId, changes.refiltered, now);
    const written = (kind: ContextChange["kind"]) => (context: { contextId: string }) => {
      return { kind, contextId: context.contextId, gone: null };
    };
    return [...removals, ...created.map(written("created")), ...replaced.map(written("updated")), ...viewed.map(written("viewed"))];
  };
}

/** Writes what filtering again changes beside contexts, within the open transaction. */
function createRefilteredWriter(db: Database): (userId: string, refiltered: Refiltered, now: number) => void {
  const setConfig = db.prepare<[string, string, string]>("UPDATE extensions SET config = ? WHERE userId = ? AND extensionId = ?");
  const setError = db.prepare<[string, string, string | null, string, number]>(
    "UPDATE extension_errors SET code = ?, message = ?, details = ? WHERE userId = ? AND seq = ?",
  );
  const setFingerprint = db.prepare<[string, string, string, string]>(
    "UPDATE processed_messages SET fingerprint = ? WHERE userId = ? AND extensionId = ? AND messageId = ?",
  );
  const setProgress = db.prepare<[string, string, string, string, string, number | null, number]>(
    "INSERT OR REPLACE INTO privacy_progress (userId, policy, run, checkedTo, counts, finishedAt, updatedAt) VALUES (?, ?, ?, ?, ?, ?, ?)",
  );
  return (userId, { configs, errors, fingerprints, progress }, now) => {
    for (const { extensionId, config } of configs) setConfig.run(config, userId, extensionId);
    for (const { seq, code, message, details } of errors) setError.run(code, message, details, userId, seq);
    for (const { extensionId, messageId, fingerprint } of fingerprints) setFingerprint.run(fingerprint, userId, extensionId, messageId);
    if (!progress) return;
    const { policy, run, checkedTo, counts, finishedAt } = progress;
    setProgress.run(userId, policy, run, checkedTo, JSON.stringify(counts), finishedAt, now);
  };
}
