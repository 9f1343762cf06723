import { closeSync, existsSync, openSync, readSync } from "node:fs";
import type Database from "better-sqlite3";
import type { VerifyErased } from "../../data/data.store.js";
import { foldWord } from "../../search/analysis/fold.js";
import type { WorkerPool } from "../../workers/worker-pool.js";
import { openReader } from "./connection.js";

/** Searches the files of a database on a worker thread, which takes seconds a GB. */
export interface LeftoversTask {
  input: { file: string; descriptors: readonly number[]; userId: string; texts: readonly string[] };
  output: { filesSearched: number; tablesSearched: number; found: number };
}

export type LeftoversWorkers = Pick<WorkerPool<{ leftovers: LeftoversTask }>, "run">;

const chunkBytes = 1_048_576;
const cpuMsMax = 3_600_000;
/** An id that is shorter stands in other bytes by chance: it is looked for in the tables. */
const searchedCharsMin = 8;

export function runLeftoversTask({ file, descriptors, userId, texts }: LeftoversTask["input"]): LeftoversTask["output"] {
  const wanted = [userId, ...texts].filter((text) => text.length >= searchedCharsMin);
  const found = new Set(descriptors.flatMap((descriptor) => findIn(descriptor, wanted)));
  const db = openReader(file);
  try {
    const tables = userId.length < searchedCharsMin ? tablesOfUsers(db) : [];
    const leftTexts = [...found].filter((text) => !isOfOthers(db, userId, text)).length;
    const leftRows = tables.filter((table) => hasRows(db, table, userId)).length;
    return { filesSearched: descriptors.length, tablesSearched: tables.length, found: leftTexts + leftRows };
  } finally {
    db.close();
  }
}

/** Every table that has a column for the user, those of later versions among them. */
function tablesOfUsers(db: Database.Database): string[] {
  const sql = "SELECT t.name FROM pragma_table_list t JOIN pragma_table_info(t.name) c ON c.name = 'userId' WHERE t.type = 'table'";
  return db.prepare<[], string>(sql).pluck().all();
}

const hasRows = (db: Database.Database, table: string, userId: string): boolean =>
  db.prepare(`SELECT 1 FROM "${table}" WHERE userId = ? LIMIT 1`).get(userId) !== undefined;

/** Which of the texts stand in a file, read in chunks that overlap. */
function findIn(descriptor: number, texts: readonly string[]): string[] {
  const needles = texts.map((text) => ({ text, bytes: Buffer.from(text) }));
  const overlap = Math.max(0, ...needles.map(({ bytes }) => bytes.length - 1));
  const chunk = Buffer.alloc(chunkBytes + overlap);
  const found = new Set<string>();
  for (let kept = 0, at = 0; ;) {
    const read = readSync(descriptor, chunk, kept, chunkBytes, at);
    if (read === 0) return [...found];
    at += read;
    const searched = chunk.subarray(0, kept + read);
    for (const { text, bytes } of needles) if (!found.has(text) && searched.includes(bytes)) found.add(text);
    kept = Math.min(overlap, searched.length);
    searched.copy(chunk, 0, searched.length - kept);
  }
}

/**
 * The files of a database, opened for searching. They stay open until the database is closed: when a process closes a file, it loses the
 * locks that SQLite holds on it, on whichever descriptor, and other processes would think that nobody uses the database.
 */
export class SearchedFiles implements Disposable {
  readonly #opened = new Map<string, number>();
  readonly #names: readonly string[];

  // No parameter property: in tests, worker threads run this file with its types stripped.
  constructor(file: string) {
    this.#names = [file, `${file}-wal`, `${file}-shm`];
  }

  /** Descriptors of the database, its log, and what else lies beside it. */
  open(): number[] {
    for (const name of this.#names) if (!this.#opened.has(name) && existsSync(name)) this.#opened.set(name, openSync(name, "r"));
    return [...this.#opened.values()];
  }

  [Symbol.dispose](): void {
    for (const descriptor of this.#opened.values()) closeSync(descriptor);
  }
}

/** Columns of texts. Challenges of sign-ins are left out: they have no column for the user, whom they may name. */
const textColumnsSql = `SELECT t.name AS "table", c.name AS "column" FROM pragma_table_list t JOIN pragma_table_info(t.name) c
  WHERE t.schema = 'main' AND t.type = 'table' AND c.type = 'TEXT' AND t.name <> 'auth_verifications'`;

/**
 * Whether the same text stands in a row that is not of the user: a page that another one has, too, an id that begins alike, or a word, such
 * as an id may be. Words of others are in the index as well, folded.
 */
function isOfOthers(db: Database.Database, userId: string, text: string): boolean {
  db.function("folded", (value) => (typeof value === "string" ? foldWords(value) : null));
  const columns = db.prepare<[], { table: string; column: string }>(textColumnsSql).all();
  const stands = (has: (column: string) => string): boolean =>
    [...Map.groupBy(columns, ({ table }) => table)].some(([table, ofTable]) => {
      const names = ofTable.map(({ column }) => column);
      const ofAnother = names.includes("userId") ? "userId <> @userId" : "TRUE";
      const conditions = names.map((name) => has(`"${name}"`)).join(" OR ");
      const sql = `SELECT 1 FROM "${table}" WHERE ${ofAnother} AND (${conditions}) LIMIT 1`;
      return db.prepare<[object]>(sql).get({ userId, text }) !== undefined;
    });
  if (stands((column) => `instr(${column}, @text)`)) return true;
  // The index holds single words.
  return !/\s/.test(text) && text === foldWords(text) && stands((column) => `instr(folded(${column}), @text)`);
}

const foldWords = (text: string): string => text.replaceAll(/[\p{L}\p{N}\p{M}]+/gu, foldWord);

interface VerifyErasedOptions {
  file: string;
  files: SearchedFiles;
  /** Without them, this thread does it. */
  workers: LeftoversWorkers | undefined;
  scrub: (how?: { rebuild?: boolean }) => Promise<void>;
}

/** Proves it by the files: nothing of the user is in any of them. */
export function verifyErased({ file, files, workers, scrub }: VerifyErasedOptions): VerifyErased {
  const search = async (userId: string, texts: readonly string[]) => {
    const input = { file, descriptors: files.open(), userId, texts };
    return workers ? await workers.run("leftovers", input, { userId, cpuMsMax }) : runLeftoversTask(input);
  };
  return async (userId, texts) => {
    await scrub();
    let searched = await search(userId, texts);
    // SQLite leaves copies in unused room of pages, where it has moved rows: only a database that is written anew has none.
    if (searched.found > 0) {
      await scrub({ rebuild: true });
      searched = await search(userId, texts);
    }
    return { method: "files", ...searched };
  };
}
