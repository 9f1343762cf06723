import { limits } from "@periscope/schemas";
import type { Database } from "better-sqlite3";
import type { ContextRead, ProcessedMessage, ReplacedContext, UserChanges, UserDataStore } from "../../contexts/context.store.js";
import type { ContextChange, GoneContext } from "../../live/live.store.js";
import type { RulesVersion } from "../../privacy/rules.store.js";
import { columnValue, contextColumns, contextFromRow, type ContextRow } from "../context-columns.js";
import type { SqliteLiveStore } from "./live.js";
import { searchIndexWriter } from "./search-index.js";
import type { SqliteWriter, Steps } from "./writer.js";

/** Columns of a statement that names the context itself. */
const changedColumns = contextColumns.filter(({ name }) => name !== "userId" && name !== "contextId");

/** What stores of a user's data write with. */
export interface UserDataStoreOptions {
  reader: Database;
  writerDb: Database;
  writer: SqliteWriter;
  /** Records what every write changes. */
  live: SqliteLiveStore;
}

/** Reads and writes of a user's data, as prepared statements. */
export function createUserDataStore({ reader, writerDb, writer, live }: UserDataStoreOptions): UserDataStore {
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
    commit: (userId, changes) => commitAndRecord({ writer, live }, userId, changes, () => write(userId, changes)),
  };
}

/**
 * Runs a write of a user's data that was worked out at `revision`, and records the context changes that it returns.
 * @param write within the transaction; null, with nothing written, when the user's data has changed since
 */
export async function commitAndRecord(
  { writer, live }: Pick<UserDataStoreOptions, "writer" | "live">,
  userId: string,
  { revision, now }: Pick<UserChanges, "revision" | "now">,
  write: () => Steps<ContextChange[] | null>,
): Promise<boolean> {
  const changed = await writer.runSteps(write, (changes) => changes && live.record(userId, revision + 1, changes, now));
  return changed !== null;
}

/** The changes of contexts that were written, beside removals. */
export function writtenChanges({
  created = [],
  replaced,
  viewed = [],
}: Pick<UserChanges, "replaced"> & Partial<Pick<UserChanges, "created" | "viewed">>): ContextChange[] {
  const change = (kind: ContextChange["kind"]) => (context: { contextId: string }) => ({ kind, contextId: context.contextId, gone: null });
  return [...created.map(change("created")), ...replaced.map(change("updated")), ...viewed.map(change("viewed"))];
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

const goneColumns = "type, tabId, extensionId, privacyLevel";

/**
 * Deletes a context and leaves a tombstone newer than what it deletes, so that no replay brings it back. Returns the change with the new
 * revision of the user's data, or null when there is no such context.
 */
export function deleteTombstoned(
  db: Database,
): (userId: string, contextId: string, at: number) => { revision: number; change: ContextChange } | null {
  const remove = db.prepare<[string, string], GoneContext & { writtenAt: number }>(
    `DELETE FROM contexts WHERE userId = ? AND contextId = ? RETURNING writtenAt, ${goneColumns}`,
  );
  const insertTombstone = tombstoneWriter(db);
  const count = db.prepare<[string], number>("UPDATE users SET revision = revision + 1 WHERE userId = ? RETURNING revision").pluck();
  return (userId, contextId, at) => {
    const removed = remove.get(userId, contextId);
    if (!removed) return null;
    const { writtenAt, ...gone } = removed;
    // A message of the tombstone's own time is newer than it: one of the time that wrote the context must not be.
    insertTombstone.run(userId, contextId, Math.max(at, writtenAt + 1), at);
    return { revision: count.get(userId) ?? 0, change: { kind: "deleted", contextId, gone } };
  };
}

/** Deletes contexts and leaves their tombstones, within the open transaction. Returns the changes: there may have been no such context. */
export function contextRemover(
  db: Database,
): (userId: string, changes: Pick<UserChanges, "removed" | "now">) => Generator<void, ContextChange[]> {
  const remove = db.prepare<[string, string], GoneContext>(
    `DELETE FROM contexts WHERE userId = ? AND contextId = ? RETURNING ${goneColumns}`,
  );
  const insertTombstone = tombstoneWriter(db);
  return function* (userId, { removed, now }) {
    const changes: ContextChange[] = [];
    for (const { contextId, deletedAt } of removed) {
      const gone = remove.get(userId, contextId);
      if (gone) changes.push({ kind: "deleted", contextId, gone });
      insertTombstone.run(userId, contextId, deletedAt, now);
      yield;
    }
    return changes;
  };
}

const tombstoneWriter = (db: Database) =>
  db.prepare<[string, string, number, number]>(
    "INSERT OR REPLACE INTO tombstones (userId, contextId, deletedAt, storedAt) VALUES (?, ?, ?, ?)",
  );

/** Stores who read contexts last, in the place of older reads. */
export function readNoter(db: Database): (userId: string, reads: readonly ContextRead[]) => void {
  const note = db.prepare<[string, string]>(
    `UPDATE contexts SET lastReadAt = r.value ->> 'at', lastReadKeyId = r.value ->> 'keyId' FROM json_each(?) r
     WHERE userId = ? AND contextId = r.value ->> 'contextId' AND ifnull(lastReadAt, 0) <= r.value ->> 'at'`,
  );
  return (userId, reads) => void note.run(JSON.stringify(reads), userId);
}

/** Replaces contexts, and their entries in the search index where these change; they keep their place in the order of arrival. */
export function contextReplacer(db: Database): (userId: string, context: ReplacedContext) => void {
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

/** Whatever is written under a policy has not passed any other: drops the progress of filtering again under another policy. */
export const dropProgressSql = "DELETE FROM privacy_progress WHERE userId = ? AND policy <> ?";

/** Writes all changes within the open transaction; null, with nothing written, when they were made from an older state. */
function createChangesWriter(db: Database): (userId: string, changes: UserChanges) => Steps<ContextChange[] | null> {
  const countRevision = revisionCounter(db);
  const dropProgress = db.prepare<[string, string]>(dropProgressSql);
  const insert = db.prepare(
    `INSERT INTO contexts (${contextColumns.map(({ name }) => name).join(", ")}) VALUES (${contextColumns.map(() => "?").join(", ")})`,
  );
  const index = searchIndexWriter(db);
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

  return function* (userId, changes) {
    if (!countRevision(userId, changes.revision)) return null;
    dropProgress.run(userId, changes.policy);
    const removals = yield* remove(userId, changes);
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
    for (const { extensionId, lastSeenAt, config, keyId = null } of changes.extensions)
      upsertExtension.run(userId, extensionId, lastSeenAt, config?.json ?? null, config?.at ?? null, keyId);
    for (const { extensionId, code, message, details, occurredAt } of changes.errors)
      insertError.run(userId, extensionId, code, message, details, occurredAt);
    if (changes.errors.length > 0) trimReports.run(userId, userId);
    for (const { extensionId, messageId, fingerprint, privacyLevel, result, processedAt } of changes.processed)
      insertProcessed.run(userId, extensionId, messageId, fingerprint, privacyLevel, result, processedAt);
    return [...removals, ...writtenChanges(changes)];
  };
}
