import Database from "better-sqlite3";
import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Model, schemaModels } from "../../../test/prisma-models.js";
import { shippedMigrations } from "../migrations.js";
import { migrateSqlite } from "./migrate.js";

// oxlint-disable-next-line no-empty-pattern -- Vitest asks for a pattern.
const it = test.extend("file", ({}, { onCleanup }) => {
  const folder = mkdtempDisposableSync(join(tmpdir(), "periscope-migrate-"));
  onCleanup(() => folder.remove());
  return join(folder.path, "periscope.db");
});

function databaseModels(db: Database.Database): Model[] {
  // No Prisma model has the tables of the search index.
  const tables = db
    .prepare<[], string>(
      "SELECT name FROM pragma_table_list WHERE type = 'table' AND name NOT GLOB '_prisma*' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB 'search_*' ORDER BY name",
    )
    .pluck()
    .all();
  return tables.map((table) => {
    const info = db
      .prepare<[string], { name: string; notnull: number; pk: number }>('SELECT name, "notnull", pk FROM pragma_table_info(?)')
      .all(table);
    const primary = info.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
    const indexes = db.prepare<[string], string>("SELECT name FROM pragma_index_list(?) WHERE origin <> 'pk'").pluck().all(table);
    const columnsOf = db.prepare<[string], string>("SELECT name FROM pragma_index_info(?) ORDER BY seqno").pluck();
    const keys = [primary.map(({ name }) => name).join(), ...indexes.map((index) => columnsOf.all(index).join())];
    return { table, columns: new Map(info.map(({ name, notnull }) => [name, notnull === 0])), keys: keys.sort() };
  });
}

describe("the migrations", () => {
  it("make the tables, columns and keys of schema.prisma", ({ file }) => {
    migrateSqlite(file);
    const db = new Database(file);
    expect(databaseModels(db)).toEqual(schemaModels("sqlite").map(({ types: _types, ...model }) => model));
    db.close();
  });

  it("are applied once, with the records of Prisma's own command", ({ file }) => {
    const all = shippedMigrations("sqlite").map(({ name }) => name);
    expect(migrateSqlite(file)).toEqual(all);
    expect(migrateSqlite(file)).toEqual([]);
    const db = new Database(file);
    const records = db
      .prepare(
        "SELECT migration_name, finished_at IS NOT NULL AS finished, length(checksum) AS checksum FROM _prisma_migrations ORDER BY 1",
      )
      .all();
    expect(records).toEqual(all.map((name) => ({ migration_name: name, finished: 1, checksum: 64 })));
    db.close();
  });

  it("change nothing when one of them fails", ({ file }) => {
    const broken = [
      ...shippedMigrations("sqlite"),
      { name: "29990101000000_broken", sql: "CREATE TABLE extra (a); CREATE TABLE extra (a);" },
    ];
    expect(() => migrateSqlite(file, broken)).toThrow(/already exists/);
    const db = new Database(file);
    expect(db.prepare("SELECT count(*) FROM sqlite_schema").pluck().get()).toBe(0);
    db.close();
  });

  it("refuse a database of a newer version", ({ file }) => {
    migrateSqlite(file, [...shippedMigrations("sqlite"), { name: "29990101000000_future", sql: "CREATE TABLE extra (a)" }]);
    expect(() => migrateSqlite(file)).toThrow(/newer version of Periscope \(migration 29990101000000_future\)/);
  });
});
