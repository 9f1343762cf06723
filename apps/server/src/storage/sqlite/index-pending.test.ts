import Database from "better-sqlite3";
import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { migrateStorage, openStorage } from "../open-storage.js";
import { shippedMigrations } from "../shipped-migrations.js";
import { indexPending } from "./index-pending.js";
import { migrateSqlite } from "./migrate.js";
import { openSearchFixture } from "./search-fixture.js";

const scope = { userId: "u", maxPrivacyLevel: "restricted" } as const;

/** A database as it was before the server analysed texts itself, with some contexts. */
function olderDatabase(file: string, contexts: number): void {
  migrateSqlite(
    file,
    shippedMigrations("sqlite").filter(({ name }) => name < "20261122000000_search_terms"),
  );
  const db = new Database(file);
  const insert = db.prepare(
    `INSERT INTO contexts (userId, contextId, type, tabId, extensionId, capturedAt, privacyLevel, writtenAt, contentFormat, url, title, tabMetadata, metadata, content)
     VALUES ('u', ?, 'page', 't', 'e', ?, 'private', 0, 'text', 'https://x.test/', 'Title', '{}', '{}', 'an old lighthouse')`,
  );
  db.transaction(() => {
    for (let index = 0; index < contexts; index++) insert.run(`c${index}`, index);
  })();
  db.close();
}

test.each([
  ["the migrate command", migrateStorage, 0],
  ["an open database", async (url: string) => migrateSqlite(url.slice("file:".length)), 50],
] as const)("%s indexes what was stored before", async (_name, migrate, left) => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "periscope-pending-"));
  const file = join(folder.path, "periscope.db");
  olderDatabase(file, 50);
  await migrate(`file:${file}`);
  expect(pendingIn(file)).toBe(left);
  await using storage = await openStorage({ databaseUrl: `file:${file}`, searchTimeoutMs: 20_000 });
  const total = async () => (await storage.search.search(scope, { query: "lighthouses", limit: 1, offset: 0 })).total;
  await expect.poll(total, { timeout: 20_000 }).toBe(50);
  await expect.poll(() => pendingIn(file), { timeout: 20_000 }).toBe(0);
});

function pendingIn(file: string): unknown {
  const db = new Database(file, { readonly: true });
  try {
    return db.prepare("SELECT count(*) FROM search_pending").pluck().get();
  } finally {
    db.close();
  }
}

test("rows are left alone that changed, or that another process took, while they were analysed", async () => {
  await using fixture = openSearchFixture();
  fixture.add({ contextId: "changed", content: "tea" }, { contextId: "taken", content: "tea" }, { contextId: "gone", content: "tea" });
  fixture.db.exec("UPDATE contexts SET content = 'coffee'");
  const work = { reader: fixture.db, writer: fixture.db };
  await indexPending({
    ...work,
    async transact(apply) {
      fixture.db.exec("UPDATE contexts SET content = 'milk' WHERE contextId = 'changed'; DELETE FROM contexts WHERE contextId = 'gone'");
      // The other process has the same rows.
      await indexPending({ ...work, transact: async (others) => others() });
      apply();
    },
  });
  const find = async (query: string) => {
    const { results } = await fixture.store.search({ ...scope, userId: "usr_a" }, { query, limit: 10, offset: 0 });
    return results.map(({ contextId }) => contextId);
  };
  expect(await find("milk")).toEqual(["changed"]);
  expect(await find("coffee")).toEqual(["taken"]);
  expect(await find("tea")).toEqual([]);
  expect(fixture.db.prepare("SELECT count(*) FROM search_pending").pluck().get()).toBe(0);
  expect(fixture.db.prepare("SELECT count(*) FROM search_index WHERE search_index MATCH '\"1*\"'").pluck().get()).toBe(2);
});
