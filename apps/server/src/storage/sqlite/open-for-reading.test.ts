import Database from "better-sqlite3";
import { copyFileSync, existsSync, mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { inspectSqlite, pendingSqlite } from "./inspect-sqlite.js";
import { openForReading } from "./open-for-reading.js";
import { openSqlite } from "./open-sqlite.js";

/** A database as a crash leaves it that comes in the middle of a transaction, before the database is one with a write-ahead log. */
function crashed(file: string): void {
  const db = new Database(`${file}.live`);
  db.exec(`PRAGMA cache_size = 1; CREATE TABLE kept (text);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200) INSERT INTO kept SELECT printf('%0500d', i) FROM n;
    BEGIN; UPDATE kept SET text = 'lost';`);
  copyFileSync(`${file}.live`, file);
  copyFileSync(`${file}.live-journal`, `${file}-journal`);
  db.close();
}

it("reads a database in the middle of whose transaction the machine stopped, as it was before", () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "periscope-reading-"));
  const file = join(folder.path, "periscope.db");
  crashed(file);
  const plain = new Database(file, { readonly: true });
  expect(() => plain.pragma("schema_version")).toThrow(expect.objectContaining({ code: "SQLITE_READONLY_ROLLBACK" }));
  plain.close();

  const db = openForReading(file);
  expect(db.prepare("SELECT count(*) AS kept, min(text) AS first FROM kept").get()).toEqual({ kept: 200, first: "1".padStart(500, "0") });
  expect(() => db.exec("DELETE FROM kept")).toThrow(expect.objectContaining({ code: "SQLITE_READONLY" }));
  db.close();
});

it("so that a server starts on it, and what only looks at it can", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "periscope-reading-"));
  const [looked, started] = [join(folder.path, "looked.db"), join(folder.path, "started.db")];
  for (const file of [looked, started]) crashed(file);
  expect(inspectSqlite(looked)).toMatchObject({ damage: [], unknown: [] });
  expect(pendingSqlite(looked)).not.toEqual([]);
  await using storage = await openSqlite(started, { searchTimeoutMs: 1000 });
  await expect(storage.ping()).resolves.toBeUndefined();
});

it("makes no database where none is", () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "periscope-reading-"));
  const file = join(folder.path, "none.db");
  expect(() => openForReading(file)).toThrow(expect.objectContaining({ code: "SQLITE_CANTOPEN" }));
  expect(existsSync(file)).toBe(false);
});
