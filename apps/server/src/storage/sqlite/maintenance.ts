import { setTimeout as wait } from "node:timers/promises";
import type Database from "better-sqlite3";
import type { DeleteUserOptions } from "../../access/access.store.js";
import { unavailable } from "../../domain-error.js";
import { WorkerPool } from "../../workers/worker-pool.js";
import { expiringTables } from "../expiring-tables.js";
import { isBusy, lockRetryMs, openWriter } from "./connection.js";
import type { SqliteWriter } from "./writer.js";

/**
 * One step of deleting and cleaning, on a connection of its own. A server runs it on a thread: a step ends with a flush to disk, which
 * would hold up every request.
 */
export interface MaintenanceTask {
  input: { file: string; step: MaintenanceStep };
  output: StepOutcome;
}

type MaintenanceStep = { kind: "delete"; userId: string } | { kind: "merge"; pages: number } | { kind: "shrink" } | { kind: "rebuild" };

interface StepOutcome {
  hasMore: boolean;
  /** Contexts that a step deleted, what a merge wrote, or pages that were given back. */
  changes: number;
}

/**
 * Contexts that one step deletes, with their entries in the index, before other writers get their turn. The index merges as it goes, in
 * some commits, by as much as was deleted in them: those hold the lock longest.
 */
const sliceContexts = 50;
/** Rows that one step deletes of tables whose rows are small. */
const sliceRows = 1000;
/**
 * Pages of the index that one step writes at most, or of the file that it gives back. Entries of deleted contexts are left out of what is
 * written, and do not count: where a user had many, one step goes through all of them.
 */
const stepPages = 100;
/** A deletion during a merge may need another round; give up after three. */
const roundsMax = 3;
const retryMs = 20;
/** A search may hold the log for as long as a search may take, and others may follow. */
const waitMs = 30_000;
const cpuMsMax = 3_600_000;

/**
 * Removed rows stay listed on pages of their own, whose numbers begin here (`FTS5_TOMBSTONE_ROWID` in `fts5_index.c`), until the part
 * of the index that holds their words is merged.
 */
const hasRemovedSql = `SELECT 1 FROM search_index_data WHERE id >= ${2n ** 53n} LIMIT 1`;

/** Throws SQLite's error while another connection writes. */
export function runMaintenanceTask({ file, step }: MaintenanceTask["input"]): StepOutcome {
  const db = openWriter(file, { waits: false });
  try {
    switch (step.kind) {
      case "delete":
        return db.transaction(() => deleteSlice(db, step.userId)).immediate();
      case "merge":
        return db.transaction(() => mergePages(db, step.pages)).immediate();
      case "shrink":
        return db.transaction(() => giveBackPages(db)).immediate();
      case "rebuild":
        db.exec("VACUUM");
        db.pragma("wal_checkpoint(TRUNCATE)");
        return { hasMore: false, changes: 0 };
    }
  } finally {
    db.close();
  }
}

function deleteSlice(db: Database.Database, userId: string): StepOutcome {
  const count = (sql: string) => db.prepare<[string]>(sql).run(userId).changes;
  // Changes that were worked out from what this deletes are refused.
  count("UPDATE users SET revision = revision + 1 WHERE userId = ?");
  const contexts = count(`DELETE FROM contexts WHERE seq IN (SELECT seq FROM contexts WHERE userId = ? LIMIT ${sliceContexts})`);
  const hasMore =
    contexts > 0 ||
    count(`DELETE FROM processed_messages WHERE (userId, extensionId, messageId) IN
      (SELECT userId, extensionId, messageId FROM processed_messages WHERE userId = ? LIMIT ${sliceRows})`) > 0 ||
    count(`DELETE FROM tombstones WHERE (userId, contextId) IN
      (SELECT userId, contextId FROM tombstones WHERE userId = ? LIMIT ${sliceRows})`) > 0;
  return { hasMore, changes: contexts };
}

function mergePages(db: Database.Database, pages: number): StepOutcome {
  if (db.prepare(hasRemovedSql).get() === undefined) return { hasMore: false, changes: 0 };
  const changes = db.prepare<[], number>("SELECT total_changes()").pluck();
  const before = changes.get() ?? 0;
  db.prepare<[number]>("INSERT INTO search_index(search_index, rank) VALUES ('merge', ?)").run(pages);
  return { hasMore: true, changes: (changes.get() ?? 0) - before };
}

const freePages = (db: Database.Database): number => Number(db.pragma("freelist_count", { simple: true }));

/** Puts pages from the end of the file in the place of free ones, and cuts the end off. */
function giveBackPages(db: Database.Database): StepOutcome {
  const before = freePages(db);
  db.exec(`PRAGMA incremental_vacuum(${stepPages})`);
  const after = freePages(db);
  return { hasMore: after > 0 && after < before, changes: before - after };
}

export interface MaintenanceOptions {
  file: string;
  writer: SqliteWriter;
  writerDb: Database.Database;
  closing: AbortSignal;
  /** Whether steps run on a thread; a command runs them itself. */
  hasThreads: boolean;
}

/** Runs a step while nobody else writes. Throws `unavailable` when other programs write all the time. */
type RunStep = (step: MaintenanceStep) => Promise<StepOutcome>;

/** Runs work in steps, between which others write. */
async function inSteps({ file, writer, closing, hasThreads }: MaintenanceOptions, work: (run: RunStep) => Promise<void>): Promise<void> {
  // Not the server's own threads: while a step waited for one of them, nobody could write.
  await using threads = hasThreads ? new WorkerPool<{ maintenance: MaintenanceTask }>(2, ["maintenance"]) : undefined;
  // Before the writer's turn, so that neither writes nor a stop wait for the thread to start.
  await Promise.race([threads?.ready(), wait(waitMs, undefined, { signal: closing, ref: false }).catch(() => {})]);
  const runOnce = async (step: MaintenanceStep) => {
    if (threads) return await threads.run("maintenance", { file, step }, { userId: "", cpuMsMax });
    // A server beside this command tries for the lock as often as this.
    await wait(lockRetryMs);
    return runMaintenanceTask({ file, step });
  };
  await work(async (step) => {
    for (const until = performance.now() + waitMs; ; await wait(retryMs)) {
      if (closing.aborted) throw unavailable("The server is stopping. Send the request again.", 1);
      try {
        return await writer.exclusive(() => runOnce(step));
      } catch (error) {
        if (!isBusy(error)) throw error;
        if (performance.now() > until) throw unavailable("Another program keeps writing to the database. Try again later.", 1, error);
      }
    }
  });
}

/**
 * Makes sure that changed and deleted text is in no file of the database any more. The full-text index keeps words of deleted contexts
 * until its segments are merged, the file keeps pages that are free, and the write-ahead log keeps old pages until it is truncated, so all
 * of that is done. In steps, beside requests; cheap when nothing was deleted. Throws `unavailable` when others keep the database in use.
 *
 * Where SQLite moves a row to another page, it may leave a copy in unused room of the first, which `secure_delete` does not know of:
 * only `rebuild` clears that. It writes the database anew, for which all other writes wait: some 10 s a GB.
 */
export async function scrub(options: MaintenanceOptions, { rebuild = false } = {}): Promise<void> {
  const { writerDb, closing } = options;
  const hasRemoved = () => writerDb.prepare(hasRemovedSql).get() !== undefined || freePages(writerDb) > 0;
  if (!closing.aborted && (rebuild || hasRemoved()))
    await inSteps(options, async (run) => {
      await mergeSegments(run, closing);
      while (!closing.aborted && (await run({ kind: "shrink" })).hasMore);
      if (rebuild && !closing.aborted) await run({ kind: "rebuild" });
    });
  if (!closing.aborted) await truncateLog(options);
}

/** `optimize` in steps, as FTS5's documentation has it: a negative `merge` begins it, and each further one goes on. */
async function mergeSegments(run: RunStep, closing: AbortSignal): Promise<void> {
  for (let round = 0; round < roundsMax; round++) {
    for (let pages = -stepPages; ; pages = stepPages) {
      if (closing.aborted) return;
      const { hasMore, changes } = await run({ kind: "merge", pages });
      if (!hasMore) return;
      // A step that finds nothing to merge makes fewer than two changes.
      if (changes < 2) break;
    }
  }
}

async function truncateLog({ file, writer, closing }: MaintenanceOptions): Promise<void> {
  // SQLite's own waiting would hold up this process; this waits between attempts.
  for (const until = performance.now() + waitMs; !closing.aborted; await wait(retryMs)) {
    try {
      // In the writer's turn, which makes sure that the file is still the one that was opened: of another one the log would be lost.
      if (await writer.exclusive(() => Promise.resolve(truncateOnce(file)))) return;
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
    if (performance.now() > until)
      throw unavailable(
        "Another program, such as a backup, keeps old pages of the database in use. Deleted text may still be in them; a server clears them within the hour.",
        1,
      );
  }
}

function truncateOnce(file: string): boolean {
  const db = openWriter(file, { waits: false });
  try {
    return db.pragma("wal_checkpoint(TRUNCATE)", { simple: true }) === 0;
  } finally {
    db.close();
  }
}

/** Deletes most of what a user has, slice by slice, before the user goes in one transaction with the rest. */
export async function deleteMostOfUser(options: MaintenanceOptions, userId: string, { onDeleted }: DeleteUserOptions): Promise<void> {
  await inSteps(options, async (run) => {
    for (let contexts = 0; ;) {
      const { hasMore, changes } = await run({ kind: "delete", userId });
      if (!hasMore) return;
      onDeleted?.((contexts += changes));
    }
  });
}

/** Drops replay records and tombstones stored before `before`, and sessions, challenges, tokens and invites that expired before it, slice by slice, until none is left or until `closing`. */
export async function pruneRecords(db: Database.Database, writer: SqliteWriter, before: number, closing: AbortSignal): Promise<void> {
  const slices = [
    ...expiringTables.map(({ table, time, key = "rowid" }) =>
      db.prepare<[number]>(`DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ${time} < ? LIMIT ${sliceRows})`),
    ),
    // Programs that nobody let in.
    db.prepare<[number]>(
      `DELETE FROM auth_clients WHERE clientId IN (SELECT clientId FROM auth_clients c WHERE createdAt < ?
        AND NOT EXISTS (SELECT 1 FROM auth_tokens t WHERE t.clientId = c.clientId) LIMIT ${sliceRows})`,
    ),
  ];
  for (const slice of slices) while (!closing.aborted && (await writer.run(() => slice.run(before).changes)) === sliceRows);
}
