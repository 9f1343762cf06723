import type { Database } from "better-sqlite3";
import type { ContextChange } from "../../live/live.store.js";
import type { RefilterCounts } from "../../refilter/refilter-context.js";
import type { PageQuery, RefilterPage, RefilterProgress, RefilterStore, StoredParts } from "../../refilter/refilter.store.js";
import { contextColumns, contextFromRow, type ContextRow } from "../context-columns.js";
import {
  commitAndRecord,
  contextReplacer,
  contextRemover,
  dropProgressSql,
  revisionCounter,
  type UserDataStoreOptions,
  versionsReader,
  writtenChanges,
} from "./user-data.js";
import type { Steps } from "./writer.js";

interface ProgressRow extends Omit<RefilterProgress, "counts"> {
  counts: string;
}

/** Stored data that is filtered again. */
export function createRefilterStore({ reader, writerDb, ...recording }: UserDataStoreOptions): RefilterStore {
  const count = reader.prepare<[string, string], number>("SELECT count(*) FROM contexts WHERE userId = ? AND contextId > ?").pluck();
  const read = createRead(reader);
  const commit = createCommit(writerDb);
  return {
    countContexts: async (userId, pastContextId) => count.get(userId, pastContextId) ?? 0,
    read: async <Part extends keyof StoredParts>(userId: string, query?: PageQuery<Part>) =>
      read(userId, query) as RefilterPage<Part> | null,
    commit: (userId, changes) => commitAndRecord(recording, userId, changes, () => commit(userId, changes)),
  };
}

function createRead(db: Database) {
  const readVersions = versionsReader(db);
  const progress = db.prepare<[string], ProgressRow>(
    "SELECT policy, run, checkedTo, counts, finishedAt FROM privacy_progress WHERE userId = ?",
  );
  const pages = {
    contexts: `SELECT ${contextColumns.map(({ name }) => name).join(", ")} FROM contexts
      WHERE userId = @userId AND contextId > @contextId ORDER BY contextId LIMIT @limit`,
    configs: `SELECT extensionId, config FROM extensions
      WHERE userId = @userId AND extensionId > @extensionId AND config IS NOT NULL ORDER BY extensionId LIMIT @limit`,
    errors: "SELECT seq, code, message, details FROM extension_errors WHERE userId = @userId AND seq > @seq ORDER BY seq LIMIT @limit",
    fingerprints: `SELECT extensionId, messageId, fingerprint FROM processed_messages
      WHERE userId = @userId AND (extensionId, messageId) > (@extensionId, @messageId) ORDER BY extensionId, messageId LIMIT @limit`,
  };
  return db.transaction((userId: string, query?: PageQuery): RefilterPage | null => {
    const versions = readVersions(userId);
    if (!versions) return null;
    const stored = progress.get(userId);
    const rows = query ? db.prepare(pages[query.part]).all({ ...query.after, userId, limit: query.limit }) : [];
    return {
      ...versions,
      progress: stored ? { ...stored, counts: JSON.parse(stored.counts) as RefilterCounts } : null,
      rows: query?.part === "contexts" ? (rows as ContextRow[]).map(contextFromRow) : (rows as RefilterPage["rows"]),
    };
  });
}

function createCommit(db: Database) {
  const countRevision = revisionCounter(db);
  const dropProgress = db.prepare<[string, string]>(dropProgressSql);
  const replace = contextReplacer(db);
  const remove = contextRemover(db);
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
  return function* (...[userId, changes]: Parameters<RefilterStore["commit"]>): Steps<ContextChange[] | null> {
    if (!countRevision(userId, changes.revision)) return null;
    dropProgress.run(userId, changes.policy);
    const removals = yield* remove(userId, changes);
    for (const context of changes.replaced) {
      replace(userId, context);
      yield;
    }
    for (const { extensionId, config } of changes.configs) setConfig.run(config, userId, extensionId);
    for (const { seq, code, message, details } of changes.errors) setError.run(code, message, details, userId, seq);
    for (const { extensionId, messageId, fingerprint } of changes.fingerprints)
      setFingerprint.run(fingerprint, userId, extensionId, messageId);
    if (changes.progress) {
      const { policy, run, checkedTo, counts, finishedAt } = changes.progress;
      setProgress.run(userId, policy, run, checkedTo, JSON.stringify(counts), finishedAt, changes.now);
    }
    return [...removals, ...writtenChanges(changes)];
  };
}
