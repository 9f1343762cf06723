import pg from "pg";
import { expect, test, vi } from "vitest";
import { PostgresDatabase } from "../../../test/postgres-database.js";
import { schemaModels } from "../../../test/prisma-models.js";
import { shippedMigrations } from "../migrations.js";
import { migratePostgres } from "./migrate.js";

/** Tests with a `database` on one machine, with all migrations. */
// oxlint-disable-next-line no-empty-pattern -- Vitest asks for a pattern.
const it = test.extend("database", async ({}, { onCleanup }) => {
  const database = await PostgresDatabase.create("template0");
  onCleanup(() => database[Symbol.asyncDispose]());
  await migratePostgres(database.url);
  return database;
});
const shipped = shippedMigrations("postgres");

it("makes the tables, columns and keys of schema.prisma", async ({ database }) => {
  const columns = await database.rows<{ table: string; name: string; nullable: boolean }>(
    `SELECT c.table_name AS table, c.column_name AS name, c.is_nullable = 'YES' AS nullable FROM information_schema.columns c
     WHERE c.table_schema = 'public' ORDER BY c.ordinal_position`,
  );
  const keys = await database.rows<{ table: string; columns: string }>(
    `SELECT c.relname AS table, string_agg(a.attname, ',' ORDER BY k.place) AS columns
     FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public',
       unnest(i.indkey) WITH ORDINALITY AS k(number, place), pg_attribute a
     WHERE a.attrelid = c.oid AND a.attnum = k.number GROUP BY c.relname, i.indexrelid`,
  );
  for (const { table, columns: expected, keys: expectedKeys } of schemaModels("postgres")) {
    expect(new Map(columns.filter((column) => column.table === table).map(({ name, nullable }) => [name, nullable]))).toEqual(expected);
    expect(
      keys
        .filter((key) => key.table === table)
        .map((key) => key.columns)
        .sort(),
    ).toEqual(expectedKeys);
  }
  const known = [
    ...schemaModels("postgres").map(({ table }) => table),
    "_prisma_migrations",
    "key_uses",
    "live_changes",
    "live_tickets",
    "rate_windows",
    "search_terms",
  ];
  expect(new Set(columns.map(({ table }) => table))).toEqual(new Set(known));
});

it("starts every unique key with the user, and has no trigger, foreign key or sequence", async ({ database }) => {
  const unique = await database.rows<{ table: string; first: string }>(
    `SELECT c.relname AS table, a.attname AS first FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
     JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0] JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE i.indisunique AND n.nspname = 'public' AND c.relname NOT IN ('api_keys', '_prisma_migrations')`,
  );
  expect(unique.length).toBeGreaterThan(8);
  expect(unique.filter(({ first }) => first !== "userId")).toEqual([]);
  expect(
    await database.rows(
      `SELECT tgname FROM pg_trigger UNION ALL SELECT conname FROM pg_constraint WHERE contype = 'f'
       UNION ALL SELECT relname FROM pg_class WHERE relkind = 'S' AND relnamespace = 'public'::regnamespace`,
    ),
  ).toEqual([]);
});

it("lets others write while a migration waits for a table", async ({ database }) => {
  const [reader, writer] = [new pg.Client(database.url), new pg.Client({ connectionString: database.url, lock_timeout: 60_000 })];
  await Promise.all([reader.connect(), writer.connect()]);
  await reader.query("BEGIN; SELECT FROM users");
  const altering = { name: "29990101000000_altering", sql: "ALTER TABLE users ADD COLUMN extra INTEGER" };
  const migrating = migratePostgres(database.url, [...shipped, altering]);
  for (const round of [1, 2]) {
    await vi.waitFor(
      async () => expect(await database.rows("SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'users'::regclass")).toHaveLength(1),
      60_000,
    );
    await writer.query("INSERT INTO users VALUES ($1, now(), 1)", [`user-${round}`]);
  }
  await reader.query("COMMIT");
  await Promise.all([reader.end(), writer.end()]);
  expect(await migrating).toEqual([altering.name]);
  expect(await database.rows(`SELECT "userId", extra FROM users ORDER BY 1`)).toEqual([
    { userId: "user-1", extra: null },
    { userId: "user-2", extra: null },
  ]);
});

it("says what to do when server, user or database is missing, without the password", async ({ database }) => {
  const url = (changes: object) => Object.assign(new URL(database.url), changes).href;
  const place = /^PostgreSQL at 127\.0\.0\.1:\d+\/\w+ /.source;
  await expect(migratePostgres(url({ port: "1" }))).rejects.toThrow(new RegExp(`${place}cannot be reached \\(ECONNREFUSED\\)`));
  await expect(migratePostgres(url({ password: "hunter2" }))).rejects.toThrow(
    new RegExp(`${place}does not accept the user or the password`),
  );
  await expect(migratePostgres(url({ pathname: "nowhere" }))).rejects.toThrow(new RegExp(`${place}does not exist: .*createdb`));
});
