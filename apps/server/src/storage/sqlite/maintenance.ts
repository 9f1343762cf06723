import { setTimeout as wait } from "node:timers/promises";
import type Database from "better-sqlite3";
import { unavailable } from "../../domain-error.js";
import { isBusy, openWriter } from "./connection.js";
import type { SqliteWriter } from "./writer.js";

/** Pages of the index that one step merges: a few milliseconds, after which other writers get their turn. */
const stepPages = 100;
/** A deletion during a merge may need another round; give up after three. */
const roundsMax = 3;
const retryMs = 20;
/** A search may hold the log for as long as a search may take, and others may follow. */
const waitMs = 30_000;

export interface ScrubOptions {
  file: string;
  writer: SqliteWriter;
  /** The writer's connection. */
  writerDb: Database.Database;
  /** True ends it early. */
  isClosing: () => boolean;
  /** Writes the database anew: all other writers wait meanwhile, some 10 s a GB. */
  rebuild: boolean;
}

/**
 * Makes sure that changed and deleted text is in no file of the database any more: the full-text index keeps words of deleted contexts
 * until its segments are merged, and the write-ahead log keeps old pages until it is truncated, so both are done. In steps, beside
 * requests; cheap when nothing was deleted. Throws `unavailable` when others keep the log in use.
 *
 * Where SQLite moves a row to another page, it may leave a copy in unused room of the first, which `secure_delete` does not know of:
 * only `rebuild` clears that.
 */
export async function scrub(options: ScrubOptions): Promise<void> {
  if (!options.isClosing()) await mergeSegments(options);
  if (!options.isClosing()) await truncateLog(options);
}

/**
 * Removed rows stay listed on pages of their own, whose numbers begin here (`FTS5_TOMBSTONE_ROWID` in `fts5_index.c`), until the part
 * of the index that holds their words is merged.
 */
const firstTombstone = 2n ** 53n;

/** `optimize` in steps, as FTS5's documentation has it: a negative `merge` begins it, and each further one goes on. */
async function mergeSegments({ writer, writerDb: db, isClosing }: ScrubOptions): Promise<void> {
  const removed = db.prepare<[], number>(`SELECT 1 FROM search_index_data WHERE id >= ${firstTombstone} LIMIT 1`).pluck();
  const changes = db.prepare<[], number>("SELECT total_changes()").pluck();
  const merge = db.prepare<[number]>("INSERT INTO search_index(search_index, rank) VALUES ('merge', ?)");
  for (let round = 0; round < roundsMax; round++) {
    for (let pages = -stepPages; ; pages = stepPages) {
      if (isClosing()) return;
      const { isClean, isAtRest } = await writer.run(() => {
        if (removed.get() === undefined) return { isClean: true, isAtRest: true };
        const before = changes.get() ?? 0;
        merge.run(pages);
        // A step that finds nothing to merge makes fewer than two changes.
        return { isClean: false, isAtRest: (changes.get() ?? 0) - before < 2 };
      });
      if (isClean) return;
      if (isAtRest) break;
    }
  }
}

/** On a connection of its own, for the writer may be in a transaction. */
async function truncateLog({ file, isClosing, rebuild }: ScrubOptions): Promise<void> {
  // SQLite's own waiting would hold up this process; this waits between attempts.
  const db = openWriter(file, { waits: false });
  const until = performance.now() + waitMs;
  const untilDone = async (attempt: () => boolean) => {
    while (!isClosing()) {
      try {
        if (attempt()) return;
      } catch (error) {
        if (!isBusy(error)) throw error;
      }
      if (performance.now() > until)
        throw unavailable(
          "The text is deleted, but another program keeps old pages of the database in use; a server clears them within the hour.",
          1,
        );
      await wait(retryMs);
    }
  };
  try {
    if (rebuild)
      await untilDone(() => {
        db.exec("VACUUM");
        return true;
      });
    await untilDone(() => db.pragma("wal_checkpoint(TRUNCATE)", { simple: true }) === 0);
  } finally {
    db.close();
  }
}

/** Rows that one transaction deletes: a few milliseconds, after which others get their turn. */
const sliceRows = 1000;
/** Contexts are larger, and leave the index too. */
const sliceContexts = 100;

/**
 * Deletes most of what a user has, slice by slice, before the user goes in one transaction with the rest. The keys are revoked first, so
 * that nobody works on what is left, unless they are to work until the end.
 */
export async function deleteMostOfUser(
  db: Database.Database,
  writer: SqliteWriter,
  { userId, keysLast }: { userId: string; keysLast: boolean },
): Promise<void> {
  const revoke = db.prepare<[number, string]>("UPDATE api_keys SET revokedAt = ? WHERE userId = ? AND revokedAt IS NULL");
  const slices = [
    db.prepare<[string]>(`DELETE FROM contexts WHERE seq IN (SELECT seq FROM contexts WHERE userId = ? LIMIT ${sliceContexts})`),
    db.prepare<[string]>(
      `DELETE FROM processed_messages WHERE (userId, extensionId, messageId) IN
        (SELECT userId, extensionId, messageId FROM processed_messages WHERE userId = ? LIMIT ${sliceRows})`,
    ),
  ];
  if (!keysLast) await writer.run(() => revoke.run(Date.now(), userId));
  for (const slice of slices) while ((await writer.run(() => slice.run(userId).changes)) > 0);
}

/** Drops replay records and tombstones stored before `before`, and sessions, challenges, tokens and invites that expired before it, slice by slice, until none is left or `isClosing`. */
export async function pruneRecords(db: Database.Database, writer: SqliteWriter, before: number, isClosing: () => boolean): Promise<void> {
  const slices = [
    db.prepare<[number]>(
      `DELETE FROM processed_messages WHERE (userId, extensionId, messageId) IN
        (SELECT userId, extensionId, messageId FROM processed_messages WHERE processedAt < ? LIMIT ${sliceRows})`,
    ),
    db.prepare<[number]>(
      `DELETE FROM tombstones WHERE (userId, contextId) IN (SELECT userId, contextId FROM tombstones WHERE storedAt < ? LIMIT ${sliceRows})`,
    ),
    ...["auth_sessions", "auth_verifications", "auth_tokens", "invites"].map((table) =>
      db.prepare<[number]>(`DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE expiresAt < ? LIMIT ${sliceRows})`),
    ),
    // Programs that nobody let in.
    db.prepare<[number]>(
      `DELETE FROM auth_clients WHERE clientId IN (SELECT clientId FROM auth_clients c WHERE createdAt < ?
        AND NOT EXISTS (SELECT 1 FROM auth_tokens t WHERE t.clientId = c.clientId) LIMIT ${sliceRows})`,
    ),
  ];
  for (const slice of slices) while (!isClosing() && (await writer.run(() => slice.run(before).changes)) === sliceRows);
}
