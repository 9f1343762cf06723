import Database from "better-sqlite3";
import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type Model, schemaModels } from "../../../test/prisma-models.js";
import { migrateSqlite } from "./migrate.js";

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

it("migrations make the tables, columns and keys of schema.prisma", () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "periscope-migrate-"));
  const file = join(folder.path, "periscope.db");
  migrateSqlite(file);
  const db = new Database(file);
  expect(databaseModels(db)).toEqual(schemaModels("sqlite").map(({ types: _types, ...model }) => model));
  db.close();
});
