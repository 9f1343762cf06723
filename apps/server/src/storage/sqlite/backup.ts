import {
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { pipeline } from "node:stream/promises";
import Database from "better-sqlite3";
import type { OnStep } from "../engine.js";
import { busyTimeoutMs } from "./connection.js";

/** Pages that one step copies, before others have their turn on the event loop. */
const stepPages = 1_000;

/**
 * Copies a database while servers use it, as of one moment, and opens the copy to compare the rows of every table. The copy is one file,
 * and has its name only once it is verified. Throws when the copy differs.
 */
export async function backupSqlite(file: string, target: string, onStep: OnStep): Promise<void> {
  const part = `${target}.part`;
  rmSync(part, { force: true });
  const source = new Database(file, { readonly: true, fileMustExist: true, timeout: busyTimeoutMs });
  try {
    // Holds one state of the database: without it, every write of a server would start the copy anew.
    source.exec("BEGIN");
    const counts = countRows(source);
    await source.backup(part, {
      progress({ totalPages, remainingPages }) {
        onStep(totalPages - remainingPages, totalPages);
        return stepPages;
      },
    });
    source.exec("COMMIT");
    verifyCopy(part, counts);
    renameSync(part, target);
  } finally {
    source.close();
    for (const leftover of [part, `${part}-wal`, `${part}-shm`, `${part}-journal`]) rmSync(leftover, { force: true });
  }
}

function verifyCopy(file: string, wanted: ReadonlyMap<string, number>): void {
  const copy = new Database(file, { fileMustExist: true });
  try {
    // Without a log beside it, it is one file.
    copy.pragma("journal_mode = DELETE");
    const state = String(copy.pragma("quick_check(1)", { simple: true }));
    if (state !== "ok") throw new Error(`The backup is damaged: ${state}. Nothing was kept. Check the disk.`);
    const counts = countRows(copy);
    for (const [table, count] of wanted)
      if (counts.get(table) !== count) throw new Error(`The backup has another number of rows in ${table}. Nothing was kept. Try again.`);
  } finally {
    copy.close();
  }
  const handle = openSync(file, "r");
  fsyncSync(handle);
  closeSync(handle);
}

function countRows(db: Database.Database): Map<string, number> {
  const tables = db
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name")
    .pluck()
    .all();
  return new Map(tables.map((name) => [name, db.prepare<[], number>(`SELECT count(*) FROM "${name}"`).pluck().get() ?? 0]));
}

/** Puts a backup in the place of a database that nobody uses, also where `link` is a link to it. The backup stays as it is; nothing is changed when `onStep` throws. */
export async function restoreSqlite(backup: string, link: string, onStep: OnStep): Promise<void> {
  const file = existsSync(link) ? realpathSync(link) : link;
  const part = `${file}.restoring`;
  const total = statSync(backup).size;
  const counted = async function* (chunks: AsyncIterable<Buffer>) {
    let done = 0;
    for await (const chunk of chunks) {
      onStep((done += chunk.length), total);
      yield chunk;
    }
  };
  try {
    await pipeline(createReadStream(backup, { highWaterMark: 1_048_576 }), counted, createWriteStream(part, { mode: 0o600, flush: true }));
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
  // The log belongs to the database that goes.
  for (const log of [`${file}-wal`, `${file}-shm`, `${file}-journal`]) if (existsSync(log)) rmSync(log);
  renameSync(part, file);
}
