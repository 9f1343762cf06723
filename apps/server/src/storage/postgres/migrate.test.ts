import pg from "pg";
import { expect, test, vi } from "vitest";
import { PostgresDatabase } from "../../../test/postgres-database.js";
import { shippedMigrations } from "../migrations.js";
import { distributePostgres, migratePostgres } from "./migrate.js";
import { advisoryLocks } from "./pool.js";

/** Tests with a `database` on one machine, with all migrations. */
// oxlint-disable-next-line no-empty-pattern -- Vitest asks for a pattern.
const it = test.extend("database", async ({}, { onCleanup }) => {
  const database = await PostgresDatabase.create("template0");
  onCleanup(() => database[Symbol.asyncDispose]());
  await migratePostgres(database.url);
  return database;
});

async function connect(connectionString: string, options: pg.ClientConfig = {}): Promise<pg.Client> {
  const client = new pg.Client({ connectionString, ...options });
  await client.connect();
  return client;
}

it("starts unique keys with the user, and has no trigger, foreign key or sequence", async ({ database }) => {
  // Keys, accounts and invites are on every machine of a cluster as a whole.
  const unique = await database.rows<{ table: string; first: string }>(
    `SELECT c.relname AS table, a.attname AS first FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
     JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0] JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE i.indisunique AND n.nspname = 'public' AND c.relname NOT IN ('api_keys', 'invites', 'periscope_migrations')
     AND c.relname NOT LIKE 'auth%'`,
  );
  expect(unique.length).toBeGreaterThan(8);
  expect(unique.filter(({ first }) => first !== "userId")).toEqual([]);
  const others = `SELECT tgname FROM pg_trigger UNION ALL SELECT conname FROM pg_constraint WHERE contype = 'f'
    UNION ALL SELECT relname FROM pg_class WHERE relkind = 'S' AND relnamespace = 'public'::regnamespace`;
  expect(await database.rows(others)).toEqual([]);
});

it("lets others write while a migration waits for a table", async ({ database }) => {
  const [reader, writer] = [await connect(database.url), await connect(database.url, { lock_timeout: 60_000 })];
  await reader.query("BEGIN; SELECT FROM users");
  const altering = { name: "29990101000000_altering", sql: "ALTER TABLE users ADD COLUMN extra INTEGER" };
  const migrating = migratePostgres(database.url, [...shippedMigrations("postgres"), altering]);
  const waiting = "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'users'::regclass";
  for (const round of [1, 2]) {
    await vi.waitFor(async () => expect(await database.rows(waiting)).toHaveLength(1), 60_000);
    await writer.query("INSERT INTO users VALUES ($1, now(), 1)", [`user-${round}`]);
  }
  await reader.query("COMMIT");
  await Promise.all([reader.end(), writer.end()]);
  expect(await migrating).toEqual([altering.name]);
  const users = ["user-1", "user-2"].map((userId) => ({ userId, extra: null }));
  expect(await database.rows(`SELECT "userId", extra FROM users ORDER BY 1`)).toEqual(users);
});

it("says what to do when server, user or database is missing, without the password", async ({ database }) => {
  const place = /^PostgreSQL at 127\.0\.0\.1:\d+\/\w+ /.source;
  const cases: Array<[changes: object, says: string]> = [
    [{ port: "1" }, "cannot be reached \\(ECONNREFUSED\\)"],
    [{ password: "hunter2" }, "does not accept the user or the password"],
    [{ pathname: "nowhere" }, "does not exist: .*createdb"],
  ];
  for (const [changes, says] of cases)
    await expect(migratePostgres(Object.assign(new URL(database.url), changes).href)).rejects.toThrow(new RegExp(place + says));
});

it("waits for a running migration before it spreads tables", async ({ database }) => {
  const migrating = await connect(database.url);
  await migrating.query(`SELECT pg_advisory_lock(${advisoryLocks.migration})`);
  let isOver = false;
  const spreading = distributePostgres(database.url)
    .catch((error: Error) => error)
    .finally(() => (isOver = true));
  const running = "SELECT query FROM pg_stat_activity WHERE application_name = 'periscope migrate' AND datname = current_database()";
  await vi.waitFor(async () => {
    expect((await database.rows<{ query: string }>(running))[0]?.query).toContain("pg_try_advisory_lock");
  }, 60_000);
  expect(isOver).toBe(false);
  await migrating.end();
  expect(String(await spreading)).toContain("is no Citus cluster");
});
