import { createHash, randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import { type Migration, newerDatabase, shippedMigrations } from "../shipped-migrations.js";
import { connect } from "./connect.js";
import { distributeAdded } from "./distribute.js";
import { advisoryLocks } from "./locks.js";

// As `prisma migrate` makes it, so that Prisma's own command understands the database.
const bookkeeping = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  "id" VARCHAR(36) PRIMARY KEY NOT NULL, "checksum" VARCHAR(64) NOT NULL, "finished_at" TIMESTAMPTZ, "migration_name" VARCHAR(255) NOT NULL,
  "logs" TEXT, "rolled_back_at" TIMESTAMPTZ, "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(), "applied_steps_count" INTEGER NOT NULL DEFAULT 0)`;

const lockRetryMs = 100;
/**
 * How long a change waits for a table, in milliseconds: until it has it, all who come after it wait as well. Then they go on for a while
 * before it is tried again.
 */
const tableWaitMs = 2_000;
const tableRetryMs = 1_000;

/**
 * First line of a migration that cannot run in a transaction, such as one that makes an index while others write. Its statements end
 * in `;` at the end of a line, each must do no harm when it is repeated, and an index that a crash left half made is removed before.
 */
const outsideMark = "-- outside a transaction";

/**
 * Brings the database up to date, forward only, also when several processes try at once: the others wait. Each migration is applied
 * whole or not at all, for as long as it takes others to leave its tables to it, or is of the kind that can be repeated. In a cluster that the tables are spread over, those that were added are, too. Throws when the database was written by a newer version. Returns the names applied.
 */
export async function migratePostgres(
  databaseUrl: string,
  migrations: readonly Migration[] = shippedMigrations("postgres"),
): Promise<string[]> {
  const client = await connect(databaseUrl, { application_name: "periscope migrate" });
  try {
    // Most starts find nothing to do, and then need no lock and no right to change anything.
    if ((await missingIn(client, migrations)).length === 0) return [];
    return await locked(client, async () => {
      await client.query(bookkeeping);
      const missing = await missingIn(client, migrations);
      for (const migration of missing) await apply(client, migration);
      return missing.map(({ name }) => name);
    });
  } finally {
    await client.end();
  }
}

/** Names of the migrations that a database has; none without the table of them. */
export async function appliedMigrations(client: pg.Client): Promise<string[]> {
  const { rows: found } = await client.query<{ there: boolean }>(`SELECT to_regclass('"_prisma_migrations"') IS NOT NULL AS there`);
  if (!found[0]?.there) return [];
  const { rows } = await client.query<{ name: string }>(
    `SELECT migration_name AS name FROM "_prisma_migrations" WHERE rolled_back_at IS NULL AND finished_at IS NOT NULL`,
  );
  return rows.map(({ name }) => name);
}

async function missingIn(client: pg.Client, migrations: readonly Migration[]): Promise<Migration[]> {
  const applied = await appliedMigrations(client);
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = applied.filter((name) => !known.has(name));
  if (unknown.length > 0) throw newerDatabase(unknown);
  return migrations.filter(({ name }) => !applied.includes(name));
}

// Asked for again and again: a session that waits for the lock inside a statement would keep an index from being finished.
async function locked<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  for (;;) {
    const { rows } = await client.query<{ mine: boolean }>(`SELECT pg_try_advisory_lock(${advisoryLocks.migration}) AS mine`);
    if (rows[0]?.mine) break;
    await pause(lockRetryMs);
  }
  try {
    return await work();
  } finally {
    await client.query(`SELECT pg_advisory_unlock(${advisoryLocks.migration})`).catch(() => {});
  }
}

async function apply(client: pg.Client, { name, sql }: Migration): Promise<void> {
  const checksum = createHash("sha256").update(sql).digest("hex");
  const startedAt = new Date();
  const record = () =>
    client.query(
      `INSERT INTO "_prisma_migrations" (id, checksum, migration_name, started_at, finished_at, applied_steps_count) VALUES ($1, $2, $3, $4, now(), 1)`,
      [randomUUID(), checksum, name, startedAt],
    );
  if (sql.startsWith(outsideMark)) {
    await dropUnfinished(client, sql);
    for (const statement of sql.split(/;[ \t]*$/m)) if (/^\s*[^\s-]/m.test(statement)) await client.query(statement);
    await record();
    return;
  }
  for (;;) {
    await client.query("BEGIN");
    try {
      await client.query(`SET LOCAL lock_timeout = ${tableWaitMs}`);
      await client.query(sql);
      await distributeAdded(client);
      await record();
      await client.query("COMMIT");
      return;
    } catch (error) {
      await client.query("ROLLBACK").catch(() => {});
      if (!isLockTimeout(error)) throw error;
    }
    await pause(tableRetryMs);
  }
}

const isLockTimeout = (error: unknown) => error instanceof Error && "code" in error && error.code === "55P03";

/** Removes indexes of this migration that a crash has left half made: they are kept up to date, and never used. */
async function dropUnfinished(client: pg.Client, sql: string): Promise<void> {
  const named = [...sql.matchAll(/CREATE (?:UNIQUE )?INDEX CONCURRENTLY (?:IF NOT EXISTS )?"([^"]+)"/g)].map(([, name]) => name);
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE NOT i.indisvalid AND c.relname = ANY ($1)`,
    [named],
  );
  for (const { name } of rows) await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${client.escapeIdentifier(name)}`);
}
