import { expect, test } from "vitest";
import { PostgresDatabase } from "../../test/postgres-database.js";
import { TestCommand } from "../../test/test-command.js";
import { shippedMigrations } from "../storage/migrations.js";

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
