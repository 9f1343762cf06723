import Database from "better-sqlite3";
import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { destroyDatabase } from "../../../test/destroy-database.js";
import { databaseGone } from "./database-gone.js";
import { openSqlite } from "./open-sqlite.js";

const freshFolder = () => mkdtempDisposableSync(join(tmpdir(), "periscope-gone-"));

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return expect.unreachable("this should have thrown");
}

describe("what SQLite throws", () => {
  it("means that the database is gone when the file is no database, or is not there", () => {
    using folder = freshFolder();
    const file = join(folder.path, "text.db");
    writeFileSync(file, "this is a text of some length and no database at all".repeat(20));
    const db = new Database(file);
    const noDatabase = thrownBy(() => db.prepare("SELECT 1 FROM sqlite_schema").get());
    const missing = thrownBy(() => new Database(join(folder.path, "missing.db"), { readonly: true }));
    for (const error of [noDatabase, missing])
      expect(databaseGone(error)).toMatchObject({ code: "unavailable", extra: { retryAfterSeconds: 5, cause: error } });
    db.close();
  });

  it("means no such thing when the disk is full, a constraint fails or the statement is wrong", () => {
    const db = new Database(":memory:");
    db.exec("CREATE TABLE few (a UNIQUE); INSERT INTO few VALUES (1); PRAGMA max_page_count = 4");
    const failures = ["INSERT INTO few VALUES (zeroblob(100000))", "INSERT INTO few VALUES (1)", "SELECT * FROM nothing"];
    const errors = failures.map((sql) => thrownBy(() => db.exec(sql)));
    expect(errors).toMatchObject([{ code: "SQLITE_FULL" }, { code: "SQLITE_CONSTRAINT_UNIQUE" }, { code: "SQLITE_ERROR" }]);
    expect(errors.map(databaseGone)).toEqual([undefined, undefined, undefined]);
    db.close();
  });
});

test("every store says unavailable once the database is gone, through Prisma, prepared statements and threads alike", async () => {
  using folder = freshFolder();
  const file = join(folder.path, "periscope.db");
  await using storage = await openSqlite(file, { searchTimeoutMs: 20_000 });
  const scope = { userId: "ada", maxPrivacyLevel: "restricted" } as const;
  const key = { ...scope, keyId: "k", name: "", hash: "", scopes: [], createdAt: 1, expiresAt: null, lastUsedAt: null, revokedAt: null };
  const calls: Array<() => Promise<unknown>> = [
    () => storage.contexts.current(scope, {}),
    () => storage.contexts.find(scope, "c"),
    () => storage.contexts.history(scope, { limit: 1, offset: 0 }),
    () => storage.contexts.remove("ada", "c", 1),
    () => storage.sync.transact("ada", (transaction) => transaction.contexts(["c"])),
    () => storage.search.search(scope, { query: "lighthouses", limit: 1, offset: 0 }),
    () => storage.access.createUser("eve", 1),
    () => storage.access.listUsers(),
    () => storage.access.createKey(key),
    () => storage.access.findKey("none"),
    async () => storage.revision(),
  ];
  for (const call of calls) await call();
  destroyDatabase(file);
  for (const call of calls) await expect(call()).rejects.toMatchObject({ code: "unavailable" });
  await expect(storage.ping()).rejects.toThrow("file is not a database");
});
