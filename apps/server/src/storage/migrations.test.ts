import { mkdtempDisposableSync, readFileSync } from "node:fs";
import { scratchFolder } from "@periscope/harness/temporary-directory";
import { join } from "node:path";
import { expect, it as base } from "vitest";
import { PostgresDatabase } from "../../test/postgres-database.js";
import { createTestDatabase, type TestDatabase, testEngine } from "../../test/test-database.js";
import { contextColumns } from "./context-columns.js";
import { type Migration, shippedMigrations } from "./migrations.js";
import { migratePostgres } from "./postgres/migrate.js";
import { migrateSqlite } from "./sqlite/migrate.js";

const isSqlite = testEngine() === "sqlite";
const shipped = shippedMigrations(testEngine());
const names = shipped.map(({ name }) => name);

/** Tests with an `empty` database, in which nothing was ever made, and how its engine migrates it. */
// oxlint-disable-next-line no-empty-pattern -- Vitest asks for a pattern.
const it = base.extend("empty", async ({}, { onCleanup }) => {
  const folder = mkdtempDisposableSync(join(scratchFolder(), "periscope-migrate-"));
  const database: TestDatabase = isSqlite ? await createTestDatabase(folder.path) : await PostgresDatabase.create("template0");
  onCleanup(async () => {
    await database[Symbol.asyncDispose]();
    folder.remove();
  });
  const migrate = async (migrations?: readonly Migration[]) =>
    isSqlite ? migrateSqlite(database.url.slice("file:".length), migrations) : await migratePostgres(database.url, migrations);
  return { rows: <Row extends object>(sql: string) => database.rows<Row>(sql), migrate };
});

/** A table: its columns and whether each may be null, and the columns of each index and key, in order. */
interface Table {
  columns: Record<string, boolean>;
  keys: string[];
}
const scalars = new Set(["String", "DateTime", "BigInt", "Int", "Boolean"]);

/** The tables of an engine's `schema.prisma`, and the types of their columns. */
function schemaTables(engine: "sqlite" | "postgres"): Map<string, Table & { types: Record<string, string> }> {
  const schema = readFileSync(new URL(`../../prisma/${engine}/schema.prisma`, import.meta.url), "utf8");
  const models = [...schema.matchAll(/^model (\w+) \{\n([\s\S]*?)^\}/gm)].map(([, , body = ""]) => {
    const fields = [...body.matchAll(/^ {2}(\w+)\s+(\w+)(\?)?(.*)$/gm)].map(([line, name = "", type = "", optional = "", rest = ""]) => {
      return [line, /@map\("(\w+)"\)/.exec(rest)?.[1] ?? name, type, optional, rest] as const;
    });
    for (const [, , type] of fields) if (!scalars.has(type)) throw new Error(`the test does not know the type ${type}`);
    const lists = [...body.matchAll(/@@(?:id|unique|index)\(\[(.*)\]\)/g)].map(([, list = ""]) => list.replaceAll(/\(sort: Desc\)| /g, ""));
    const table = {
      columns: Object.fromEntries(fields.map(([, name, , optional]) => [name, optional === "?"])),
      types: Object.fromEntries(fields.map(([, name, type, optional]) => [name, type + optional])),
      keys: [...fields.filter(([, , , , rest]) => rest.includes("@id")).map(([, name]) => name), ...lists].sort(),
    };
    return [/@@map\("(\w+)"\)/.exec(body)?.[1] ?? "", table] as const;
  });
  return new Map(models);
}

const readColumns = isSqlite
  ? `SELECT t.name AS "table", c.name, c."notnull" = 0 AS nullable FROM pragma_table_list t, pragma_table_info(t.name) c
     WHERE t.type = 'table' AND t.name NOT GLOB 'sqlite_*' ORDER BY t.name, c.cid`
  : `SELECT c.table_name AS table, c.column_name AS name, c.is_nullable = 'YES' AS nullable FROM information_schema.columns c
     WHERE c.table_schema = 'public' ORDER BY c.table_name, c.ordinal_position`;
const readKeys = isSqlite
  ? `SELECT t.name AS "table", (SELECT group_concat(name, ',') FROM (SELECT name FROM pragma_index_info(i.name) ORDER BY seqno)) AS columns
     FROM pragma_table_list t, pragma_index_list(t.name) i WHERE t.type = 'table' AND i.origin <> 'pk'
     UNION ALL SELECT t.name, (SELECT group_concat(name, ',') FROM (SELECT name FROM pragma_table_info(t.name) WHERE pk > 0 ORDER BY pk))
     FROM pragma_table_list t WHERE t.type = 'table'`
  : `SELECT c.relname AS table, string_agg(a.attname, ',' ORDER BY k.place) AS columns
     FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public',
       unnest(i.indkey) WITH ORDINALITY AS k(number, place), pg_attribute a
     WHERE a.attrelid = c.oid AND a.attnum = k.number GROUP BY c.relname, i.indexrelid`;
/** Tables that no Prisma model has. */
const beside = isSqlite
  ? /^(?:periscope_migrations|search_\w+)$/
  : /^(?:periscope_migrations|key_uses|live_changes|live_tickets|rate_windows|search_terms)$/;

it("migrations make the tables, columns and keys of schema.prisma", async ({ empty: { rows, migrate } }) => {
  await migrate();
  const columns = await rows<{ table: string; name: string; nullable: unknown }>(readColumns);
  const keys = await rows<{ table: string; columns: string }>(readKeys);
  const made = [...Map.groupBy(columns, ({ table }) => table)].filter(([table]) => !beside.test(table));
  const tables = made.map(([table, of]): [string, Table] => [
    table,
    {
      columns: Object.fromEntries(of.map(({ name, nullable }) => [name, Boolean(nullable)])),
      keys: keys
        .filter((key) => key.table === table)
        .map((key) => key.columns)
        .sort(),
    },
  ]);
  const expected = [...schemaTables(testEngine())].map(([table, { types: _types, ...rest }]): [string, Table] => [table, rest]);
  expect(new Map(tables)).toEqual(new Map(expected));
});

it("lists the columns of a context as both Prisma schemas have them, which are alike", () => {
  const [sqlite, postgres] = (["sqlite", "postgres"] as const).map((engine) =>
    [...schemaTables(engine)].map(([table, { types }]) => [table, types] as const),
  );
  expect(postgres).toEqual(sqlite);
  const types = { text: "String", json: "String", time: "DateTime" };
  const listed = contextColumns.map((column) => [column.name, types[column.kind] + ("isNullable" in column ? "?" : "")]);
  const beside = ["seq", "lastReadAt", "lastReadKeyId"];
  const columns = Object.entries(new Map(sqlite).get("contexts") ?? {});
  expect(columns.filter(([name]) => !beside.includes(name))).toEqual(listed);
});

it("gives every migration a stamp of its own", () => {
  expect(names.filter((name) => !/^\d{14}_[a-z_]+$/.test(name))).toEqual([]);
  expect(new Set(names.map((name) => name.slice(0, 14))).size).toBe(names.length);
});

it("applies migrations once when several processes start together", async ({ empty: { rows, migrate } }) => {
  const done = await Promise.all(Array.from({ length: 6 }, () => migrate()));
  expect(done.toSorted((a, b) => b.length - a.length)).toEqual([names, [], [], [], [], []]);
  expect(await migrate()).toEqual([]);
  expect(await rows("SELECT name FROM periscope_migrations ORDER BY 1")).toEqual(names.map((name) => ({ name })));
});

it("changes nothing when a migration fails", async ({ empty: { rows, migrate } }) => {
  await migrate();
  const broken = { name: "29990101000000_broken", sql: "CREATE TABLE extra (a INTEGER); CREATE TABLE extra (a INTEGER);" };
  await expect(migrate([...shipped, broken])).rejects.toThrow("already exists");
  await expect(rows("SELECT * FROM extra")).rejects.toThrow(/no such table|does not exist/);
  expect(await migrate()).toEqual([]);
});

it("refuses a database of a newer version", async ({ empty: { migrate } }) => {
  await migrate([...shipped, { name: "29990101000000_future", sql: "CREATE TABLE extra (a INTEGER)" }]);
  await expect(migrate()).rejects.toThrow(/newer version of Periscope \(migration 29990101000000_future\)/);
});

it("refuses a database that has tables of another program", async ({ empty: { rows, migrate } }) => {
  await rows("CREATE TABLE users (name TEXT)");
  await expect(migrate()).rejects.toThrow(/ has tables of another program \(.*users.* already exists\)\. .* a database of its own/);
  expect(await rows("SELECT * FROM users")).toEqual([]);
  await expect(rows("SELECT * FROM contexts")).rejects.toThrow(/no such table|does not exist/);
});
