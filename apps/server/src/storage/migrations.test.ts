import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, test } from "vitest";
import { PostgresDatabase } from "../../test/postgres-database.js";
import { schemaModels } from "../../test/prisma-models.js";
import { createTestDatabase, type TestDatabase, testEngine } from "../../test/test-database.js";
import { contextColumns } from "./context-columns.js";
import { type Migration, shippedMigrations } from "./migrations.js";
import { migratePostgres } from "./postgres/migrate.js";
import { migrateSqlite } from "./sqlite/migrate.js";

it.each(["sqlite", "postgres"] as const)("gives every migration a stamp of its own: %s", (engine) => {
  const names = shippedMigrations(engine).map(({ name }) => name);
  expect(names.filter((name) => !/^\d{14}_[a-z_]+$/.test(name))).toEqual([]);
  expect(new Set(names.map((name) => name.slice(0, 14))).size).toBe(names.length);
});

it("lists the columns of a context as both Prisma schemas have them, which are alike", () => {
  const [sqlite, postgres] = (["sqlite", "postgres"] as const).map((engine) =>
    schemaModels(engine).map(({ table, types }) => ({ table, types })),
  );
  expect(postgres).toEqual(sqlite);
  const types = { text: "String", json: "String", time: "DateTime" };
  const listed = contextColumns.map((column) => [column.name, types[column.kind] + ("isNullable" in column ? "?" : "")]);
  expect(Object.entries(sqlite?.find(({ table }) => table === "contexts")?.types ?? {})).toEqual([["seq", "BigInt"], ...listed]);
});

const shipped = shippedMigrations(testEngine());
const names = shipped.map(({ name }) => name);

/** Tests with an `empty` database, in which nothing was ever made, and how its engine migrates it. */
// oxlint-disable-next-line no-empty-pattern -- Vitest asks for a pattern.
const withEmpty = test.extend("empty", async ({}, { onCleanup }) => {
  const folder = mkdtempDisposableSync(join(tmpdir(), "periscope-migrate-"));
  const database: TestDatabase =
    testEngine() === "sqlite" ? await createTestDatabase(folder.path) : await PostgresDatabase.create("template0");
  onCleanup(async () => {
    await database[Symbol.asyncDispose]();
    folder.remove();
  });
  const migrate = async (migrations?: readonly Migration[]) =>
    testEngine() === "sqlite"
      ? migrateSqlite(database.url.slice("file:".length), migrations)
      : await migratePostgres(database.url, migrations);
  return { rows: (sql: string) => database.rows(sql), migrate };
});

withEmpty("applies migrations once when several processes start together", async ({ empty: { rows, migrate } }) => {
  const done = await Promise.all(Array.from({ length: 6 }, () => migrate()));
  expect(done.toSorted((a, b) => b.length - a.length)).toEqual([names, [], [], [], [], []]);
  expect(await migrate()).toEqual([]);
  const records = await rows(
    "SELECT migration_name AS name, finished_at IS NOT NULL AS finished, length(checksum) AS checksum FROM _prisma_migrations ORDER BY 1",
  );
  expect(records).toEqual(names.map((name) => ({ name, finished: testEngine() === "sqlite" ? 1 : true, checksum: 64 })));
});

withEmpty("changes nothing when a migration fails", async ({ empty: { rows, migrate } }) => {
  await migrate();
  const broken = { name: "29990101000000_broken", sql: "CREATE TABLE extra (a INTEGER); CREATE TABLE extra (a INTEGER);" };
  await expect(migrate([...shipped, broken])).rejects.toThrow("already exists");
  await expect(rows("SELECT * FROM extra")).rejects.toThrow(/no such table|does not exist/);
  expect(await migrate()).toEqual([]);
});

withEmpty("refuses a database of a newer version", async ({ empty: { migrate } }) => {
  await migrate([...shipped, { name: "29990101000000_future", sql: "CREATE TABLE extra (a INTEGER)" }]);
  await expect(migrate()).rejects.toThrow(/newer version of Periscope \(migration 29990101000000_future\)/);
});
