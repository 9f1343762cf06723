import type { Database } from "better-sqlite3";
import type { RefilterCounts } from "../../refilter/refilter-context.js";
import type { RefilterProgress, RefilterStore, StoredConfig, StoredError, StoredFingerprint } from "../../refilter/refilter.store.js";
import { contextColumns, contextFromRow, type ContextRow } from "../context-columns.js";
import { contextReplacer, deleteTombstoned, dropProgressSql, revisionCounter, versionsReader } from "./user-data.js";
import type { SqliteWriter } from "./writer.js";

interface ProgressRow extends Omit<RefilterProgress, "counts"> {
  counts: string;
}

/** Stored data that is filtered again. */
export function createRefilterStore(reader: Database, writerDb: Database, writer: SqliteWriter): RefilterStore {
  // Prepared on first use: only `privacy apply` needs them.
  let count: ReturnType<typeof createCount> | undefined;
  let read: ReturnType<typeof createRead> | undefined;
  let commit: ReturnType<typeof createCommit> | undefined;
  return {
    countContexts: async (userId, pastContextId) => (count ??= createCount(reader)).get(userId, pastContextId) ?? 0,
    read: async (userId, after) => (read ??= createRead(reader))(userId, after),
    commit: (userId, changes) => writer.run(() => (commit ??= createCommit(writerDb))(userId, changes)),
  };
}

const createCount = (db: Database) =>
  db.prepare<[string, string], number>("SELECT count(*) FROM contexts WHERE userId = ? AND contextId > ?").pluck();

function createRead(db: Database) {
  const readVersions = versionsReader(db);
  const progress = db.prepare<[string], ProgressRow>(
    "SELECT policy, run, checkedTo, counts, finishedAt FROM privacy_progress WHERE userId = ?",
  );
  const contexts = db.prepare<[string, string, number], ContextRow>(
    `SELECT ${contextColumns.map(({ name }) => name).join(", ")} FROM contexts WHERE userId = ? AND contextId > ? ORDER BY contextId LIMIT ?`,
  );
  const configs = db.prepare<[string, string, number], StoredConfig>(
    "SELECT extensionId, config FROM extensions WHERE userId = ? AND extensionId > ? AND config IS NOT NULL ORDER BY extensionId LIMIT ?",
  );
  const errors = db.prepare<[string, number, number], StoredError>(
    "SELECT seq, code, message, details FROM extension_errors WHERE userId = ? AND seq > ? ORDER BY seq LIMIT ?",
  );
  const fingerprints = db.prepare<[string, string, string, number], StoredFingerprint>(
    `SELECT extensionId, messageId, fingerprint FROM processed_messages
     WHERE userId = ? AND (extensionId, messageId) > (?, ?) ORDER BY extensionId, messageId LIMIT ?`,
  );
  return db.transaction((...[userId, after]: Parameters<RefilterStore["read"]>) => {
    const versions = readVersions(userId);
    if (!versions) return null;
    const stored = progress.get(userId);
    return {
      ...versions,
      progress: stored ? { ...stored, counts: JSON.parse(stored.counts) as RefilterCounts } : null,
      contexts: after.contexts ? contexts.all(userId, after.contexts.contextId, after.contexts.limit).map(contextFromRow) : [],
      configs: after.configs ? configs.all(userId, after.configs.extensionId, after.configs.limit) : [],
      errors: after.errors ? errors.all(userId, after.errors.seq, after.errors.limit) : [],
      fingerprints: after.fingerprints
        ? fingerprints.all(userId, after.fingerprints.extensionId, after.fingerprints.messageId, after.fingerprints.limit)
        : [],
    };
  });
}

function createCommit(db: Database) {
  const countRevision = revisionCounter(db);
  const dropProgress = db.prepare<[string, string]>(dropProgressSql);
  const replace = contextReplacer(db);
  const remove = deleteTombstoned(db);
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
  return (...[userId, changes]: Parameters<RefilterStore["commit"]>): boolean => {
    if (!countRevision(userId, changes.revision)) return false;
    dropProgress.run(userId, changes.policy);
    for (const { contextId, deletedAt } of changes.removed) remove(userId, contextId, deletedAt);
    for (const context of changes.replaced) replace(userId, context);
    for (const { extensionId, config } of changes.configs) setConfig.run(config, userId, extensionId);
    for (const { seq, code, message, details } of changes.errors) setError.run(code, message, details, userId, seq);
    for (const { extensionId, messageId, fingerprint } of changes.fingerprints)
      setFingerprint.run(fingerprint, userId, extensionId, messageId);
    if (changes.progress) {
      const { policy, run, checkedTo, counts, finishedAt } = changes.progress;
      setProgress.run(userId, policy, run, checkedTo, JSON.stringify(counts), finishedAt, changes.now);
    }
    return true;
  };
}
