import { expect, it, vi } from "vitest";
import pg from "pg";
import { PostgresDatabase } from "../../../test/postgres-database.js";
import { distributePostgres } from "./migrate.js";
import { advisoryLocks } from "./pool.js";

it("waits for a running migration", async () => {
  await using database = await PostgresDatabase.create("template0");
  const migrating = new pg.Client(database.url);
  await migrating.connect();
  await migrating.query(`SELECT pg_advisory_lock(${advisoryLocks.migration})`);
  let isOver = false;
  const spreading = distributePostgres(database.url)
    .catch((error: Error) => error)
    .finally(() => (isOver = true));
  await vi.waitFor(async () => {
    const [row] = await database.rows<{ query: string }>(
      "SELECT query FROM pg_stat_activity WHERE application_name = 'periscope migrate' AND datname = current_database()",
    );
    expect(row?.query).toContain("pg_try_advisory_lock");
  }, 60_000);
  expect(isOver).toBe(false);
  await migrating.end();
  expect(String(await spreading)).toContain("is no Citus cluster");
});
