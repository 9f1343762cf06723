import Database from "better-sqlite3";
import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { migrateSqlite } from "./migrate.js";
import { openSqlite } from "./open-sqlite.js";

const freshFolder = () => mkdtempDisposableSync(join(tmpdir(), "periscope-open-"));

test.each(["api_keys", "tombstones"])("a database that cannot be opened for want of %s is left by every connection", async (table) => {
  using folder = freshFolder();
  const file = join(folder.path, "periscope.db");
  migrateSqlite(file);
  const db = new Database(file, { timeout: 0 });
  db.exec(`DROP TABLE ${table}`);
  await expect(openSqlite(file, { searchTimeoutMs: 1000 })).rejects.toThrow(`no such table: ${table}`);
  // SQLite refuses to leave WAL mode while anyone else has the file open.
  expect(db.pragma("journal_mode = DELETE", { simple: true })).toBe("delete");
  db.close();
});
