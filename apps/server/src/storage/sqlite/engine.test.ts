import Database from "better-sqlite3";
import { copyFileSync, mkdtempDisposableSync } from "node:fs";
import { scratchFolder } from "@periscope/harness/temporary-directory";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Storage } from "../engine.js";
import { sqliteEngine } from "./engine.js";
import { findFault } from "../faults.js";
import { migrateSqlite } from "./migrate.js";

/** Tests with a `file` for a database, in a folder of its own. */
// oxlint-disable-next-line no-empty-pattern -- Vitest asks for a pattern.
const it = test.extend("file", ({}, { onCleanup }) => {
  const folder = mkdtempDisposableSync(join(scratchFolder(), "periscope-sqlite-"));
  onCleanup(() => folder.remove());
  return join(folder.path, "periscope.db");
});
const open = (file: string): Promise<Storage> => sqliteEngine(`file:${file}`).open({ searchTimeoutMs: 60_000 });

/** A database as a crash in the middle of a transaction leaves it, before it has a write-ahead log. */
function crashed(file: string): void {
  const db = new Database(`${file}.live`);
  db.exec(`PRAGMA cache_size = 1; CREATE TABLE kept (text);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200) INSERT INTO kept SELECT printf('%0500d', i) FROM n;
    BEGIN; UPDATE kept SET text = 'lost';`);
  copyFileSync(`${file}.live`, file);
  copyFileSync(`${file}.live-journal`, `${file}-journal`);
  db.close();
}

describe("opening", () => {
  it.for(["users", "tombstones"])("closes every connection when the table %s is missing", async (table, { file }) => {
    migrateSqlite(file);
    const db = new Database(file, { timeout: 0 });
    db.exec(`DROP TABLE ${table}`);
    await expect(open(file)).rejects.toThrow(`no such table`);
    // SQLite refuses to leave WAL mode while anyone else has the file open.
    expect(db.pragma("journal_mode = DELETE", { simple: true })).toBe("delete");
    db.close();
  });

  it("rolls back a transaction that a crash cut off", async ({ file }) => {
    crashed(file);
    await using storage = await open(file);
    await expect(storage.check()).resolves.toBeUndefined();
    const db = new Database(file, { readonly: true });
    expect(db.prepare("SELECT count(*) AS kept, min(text) AS first FROM kept").get()).toEqual({ kept: 200, first: "1".padStart(500, "0") });
    db.close();
  });

  it("inspects no database where there is none, and creates none", async ({ file }) => {
    const engine = sqliteEngine(`file:${file}`);
    expect(await engine.inspect()).toBeNull();
    expect(await engine.inspect()).toBeNull();
  });
});

it("reports a full disk by its cause, and other errors of a statement by none", () => {
  const full = new Database(":memory:");
  full.exec("CREATE TABLE few (a UNIQUE); INSERT INTO few VALUES (1); PRAGMA max_page_count = 4");
  const causeOf = (sql: string) => {
    try {
      return full.exec(sql);
    } catch (error) {
      return findFault(error)?.what;
    }
  };
  const statements = ["INSERT INTO few VALUES (zeroblob(100000))", "INSERT INTO few VALUES (1)", "SELECT * FROM nothing"];
  expect(statements.map(causeOf)).toEqual(["The server's disk is full.", undefined, undefined]);
  full.close();
});

describe("pruning", () => {
  const old = 1_000_000;

  /** A database with this many records and tombstones of the time `old`, and one of each that is a millisecond younger. */
  async function filled(file: string, count: number) {
    const storage = await open(file);
    const db = new Database(file);
    const numbers = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?)";
    const at = "iif(i = 0, ? + 1, ?)";
    db.prepare(`${numbers} INSERT INTO processed_messages SELECT 'u', 'e', 'm' || i, '', 'private', '{}', ${at} FROM n`).run(
      count,
      old,
      old,
    );
    db.prepare(`${numbers} INSERT INTO tombstones SELECT 'u', 'c' || i, 0, ${at} FROM n`).run(count, old, old);
    const left = () => ["processed_messages", "tombstones"].map((table) => db.prepare(`SELECT count(*) FROM ${table}`).pluck().get());
    return { storage, left, [Symbol.asyncDispose]: async () => (db.close(), await storage[Symbol.asyncDispose]()) };
  }

  it("drops what is older, in slices between which others write", async ({ file }) => {
    await using world = await filled(file, 2500);
    await world.storage.prune(old);
    expect(world.left()).toEqual([2501, 2501]);
    const pruned = world.storage.prune(old + 1);
    await world.storage.access.createUser("ada", 1);
    expect(world.left()[0]).toBeGreaterThan(1000);
    await pruned;
    expect(world.left()).toEqual([1, 1]);
  });

  it("stops when the storage is closed", async ({ file }) => {
    await using world = await filled(file, 2500);
    const pruned = world.storage.prune(old + 1);
    await world.storage[Symbol.asyncDispose]();
    await pruned;
    expect(world.left()[1]).toBe(2501);
  });
});
