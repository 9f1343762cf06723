import pg from "pg";
import { expect, test } from "vitest";
import { PostgresDatabase } from "../../test/postgres-database.js";
import { Installation } from "../../test/server-process.js";
import { TestCommand } from "../../test/test-command.js";
import { shippedMigrations } from "../storage/migrations.js";
import { advisoryLocks } from "../storage/postgres/pool.js";

test("migrates PostgreSQL, prints no password, and spreads nothing without Citus", async () => {
  await using database = await PostgresDatabase.create("template0");
  using command = new TestCommand({ DATABASE_URL: database.url });
  const names = shippedMigrations("postgres").map(({ name }) => `  ${name}\n`);
  expect(await command.run("migrate")).toEqual({ code: 0, out: `Applied these migrations:\n${names.join("")}`, err: "" });
  expect((await command.run("migrate")).out).toBe("The database is up to date.\n");
  const doctor = await command.run("doctor");
  expect(doctor.out).toMatch(/database: PostgreSQL at 127\.0\.0\.1:\d+\/test_\w+ can be read\n.*migrations: up to date/);
  expect(doctor.out + doctor.err).not.toContain(new URL(database.url).password);
  expect(await command.run("migrate", "--distribute")).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^PostgreSQL at .* is no Citus cluster: .* Nothing was changed\. .*CREATE EXTENSION citus/),
  });
  using embedded = new TestCommand();
  const err = expect.stringContaining("needs PostgreSQL with Citus");
  expect(await embedded.run("migrate", "--distribute")).toMatchObject({ code: 2, err });
});

test("a start that waits for another process's migration ends at SIGTERM", async () => {
  await using database = await PostgresDatabase.create("template0");
  const migrating = new pg.Client(database.url);
  await migrating.connect();
  await migrating.query(`SELECT pg_advisory_lock(${advisoryLocks.migration})`);
  await using installation = await Installation.create({ DATABASE_URL: database.url });
  const server = installation.spawn();
  const waiting = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'SELECT pg_try_advisory_lock%'";
  await expect.poll(async () => (await database.rows(waiting)).length, { timeout: 60_000 }).toBe(1);
  expect(await server.end("SIGTERM")).toBe(0);
  await migrating.end();
});
