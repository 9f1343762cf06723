import { setTimeout as wait } from "node:timers/promises";
import type pg from "pg";
import type { DatabaseReport, OnStep } from "../engine.js";
import { compareMigrations, type Migration, missingMigrations, shippedMigrations, tablesOfOthers } from "../migrations.js";
import { hasCode } from "../faults.js";
import { advisoryLocks, connect, describeDatabase } from "./pool.js";

/** How long a change waits for a table, in milliseconds: everybody who comes after it waits as well. Then they go on before it tries again. */
const tableWaitMs = 2_000;
const tableRetryMs = 1_000;
const lockRetryMs = 100;

/**
 * Brings the database up to date, forward only; when several processes try at once, one does and the others wait. Each migration is
 * applied whole or not at all. Throws when a newer version wrote the database, or another program. Returns the names applied.
 */
export async function migratePostgres(
  databaseUrl: string,
  migrations: readonly Migration[] = shippedMigrations("postgres"),
  onStep: OnStep = () => {},
): Promise<string[]> {
  const client = await connect(databaseUrl, { application_name: "periscope migrate" });
  try {
    // Most starts find nothing to do, and then need no lock and no right to change anything.
    if (missingMigrations(await appliedMigrations(client), migrations).length === 0) return [];
    return await withMigrationLock(client, async () => {
      await client.query("CREATE TABLE IF NOT EXISTS periscope_migrations (name TEXT PRIMARY KEY)");
      const missing = missingMigrations(await appliedMigrations(client), migrations);
      for (const [done, migration] of missing.entries()) {
        onStep(done, missing.length);
        await apply(client, migration);
      }
      return missing.map(({ name }) => name);
    });
  } catch (error) {
    const isTaken = error instanceof Error && hasCode(error, /^42P07$/);
    throw isTaken ? tablesOfOthers(describeDatabase(databaseUrl), error) : error;
  } finally {
    await client.end();
  }
}

/** Runs what changes tables, while no other process does. */
async function withMigrationLock<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  for (;;) {
    const { rows } = await client.query<{ mine: boolean }>(`SELECT pg_try_advisory_lock(${advisoryLocks.migration}) AS mine`);
    if (rows[0]?.mine) break;
    await wait(lockRetryMs);
  }
  try {
    return await work();
  } finally {
    await client.query(`SELECT pg_advisory_unlock(${advisoryLocks.migration})`).catch(() => {});
  }
}

async function apply(client: pg.Client, { name, sql }: Migration): Promise<void> {
  for (;;) {
    await client.query("BEGIN");
    try {
      await client.query(`SET LOCAL lock_timeout = ${tableWaitMs}`);
      await client.query(sql);
      await client.query("INSERT INTO periscope_migrations (name) VALUES ($1)", [name]);
      await client.query("COMMIT");
      return;
    } catch (error) {
      await client.query("ROLLBACK").catch(() => {});
      // Another transaction has the table.
      if (!hasCode(error, /^55P03$/)) throw error;
    }
    await wait(tableRetryMs);
  }
}

/** Names of the migrations that a database has; none without the table of them. */
async function appliedMigrations(client: pg.Client): Promise<string[]> {
  const { rows: found } = await client.query<{ there: boolean }>("SELECT to_regclass('periscope_migrations') IS NOT NULL AS there");
  if (!found[0]?.there) return [];
  const { rows } = await client.query<{ name: string }>("SELECT name FROM periscope_migrations");
  return rows.map(({ name }) => name);
}

/** Looks at a database without changing it. Rejects when it cannot be reached. */
export async function inspectPostgres(databaseUrl: string): Promise<DatabaseReport> {
  const client = await connect(databaseUrl, { query_timeout: 30_000 });
  try {
    await client.query("SET default_transaction_read_only = on");
    const applied = await appliedMigrations(client);
    const { missing, unknown } = compareMigrations(applied, shippedMigrations("postgres"));
    return {
      isPeriscope: applied.length > 0,
      damage: [],
      pending: missing.map(({ name }) => name),
      unknown,
      ...(applied.length > 0 ? await countAccess(client) : { users: 0, keys: 0, latest: null }),
    };
  } finally {
    await client.end();
  }
}

async function countAccess(client: pg.Client): Promise<Pick<DatabaseReport, "users" | "keys" | "latest">> {
  const { rows } = await client.query<{ users: number; keys: number; latest: number | null }>(
    `SELECT (SELECT count(*) FROM users)::float8 AS users,
      (SELECT count(*) FROM api_keys WHERE "revokedAt" IS NULL AND ("expiresAt" IS NULL OR "expiresAt" > to_timestamp($1::float8 / 1000)))::float8 AS keys,
      (SELECT (extract(epoch FROM greatest((SELECT max("createdAt") FROM users), max("createdAt"), max("lastUsedAt"), (SELECT max("lastUsedAt") FROM key_uses))) * 1000)::float8
       FROM api_keys) AS latest`,
    [Date.now()],
  );
  return rows[0] ?? { users: 0, keys: 0, latest: null };
}

/** Every machine has these whole: they are small, change when an operator says so, and are read without a user. */
const references =
  "api_keys auth_users auth_sessions auth_accounts auth_passkeys auth_verifications auth_secrets auth_clients auth_tokens invites".split(
    " ",
  );
/** These are spread by user: the rows of one user of every table are on one machine. */
const spread = (
  "users key_uses contexts tombstones processed_messages extensions extension_errors privacy_rules privacy_progress retention_rules " +
  "usage_by_day rate_windows search_terms live_changes live_tickets"
).split(" ");

/**
 * Spreads the tables over the machines of a Citus cluster, by user. Returns the names of the tables that were not spread yet. Waits for a
 * running migration. Throws, and changes nothing, where the extension is missing or has no machine to spread them over.
 */
export async function distributePostgres(databaseUrl: string, onStep: OnStep = () => {}): Promise<string[]> {
  const client = await connect(databaseUrl, { application_name: "periscope migrate" });
  try {
    return await withMigrationLock(client, () => distributeHere(client, describeDatabase(databaseUrl), onStep));
  } finally {
    await client.end();
  }
}

async function distributeHere(client: pg.Client, place: string, onStep: OnStep): Promise<string[]> {
  const { rowCount: hasCitus } = await client.query("SELECT 1 FROM pg_extension WHERE extname = 'citus'");
  if (!hasCitus)
    throw new Error(
      `${place} is no Citus cluster: its database does not have the extension "citus". Nothing was changed. Install Citus on every machine of the cluster, run CREATE EXTENSION citus in the database, and try again.`,
    );
  const { rows: machines } = await client.query("SELECT 1 FROM pg_dist_node WHERE isactive AND shouldhaveshards LIMIT 1");
  if (machines.length === 0)
    throw new Error(
      `${place} knows no machine to spread the tables over. Nothing was changed. Name the coordinator by citus_set_coordinator_host and each worker by citus_add_node, and try again.`,
    );
  const { rows: distributed } = await client.query<{ name: string }>("SELECT logicalrelid::text AS name FROM pg_dist_partition");
  const known = new Set(distributed.map(({ name }) => name));
  const { rows: made } = await client.query<{ name: string }>(
    "SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace",
  );
  const there = new Set(made.map(({ name }) => name));
  const missing = (tables: readonly string[]) => tables.filter((table) => there.has(table) && !known.has(table));
  // A shard moves by the log, while it is written: one whose tables are not all in the log stays where it is.
  const { rows: unlogged } = await client.query<{ name: string }>(
    "SELECT relname AS name FROM pg_class WHERE relpersistence = 'u' AND relnamespace = current_schema()::regnamespace AND relname = ANY ($1)",
    [spread],
  );
  for (const { name } of unlogged) await client.query(`ALTER TABLE ${client.escapeIdentifier(name)} SET LOGGED`);
  const newTables = missing([...references, ...spread]);
  for (const [done, table] of newTables.entries()) {
    onStep(done, newTables.length);
    if (references.includes(table)) {
      await client.query("SELECT create_reference_table($1::regclass)", [table]);
      continue;
    }
    const beside = table === "users" ? "none" : "users";
    await client.query("SELECT create_distributed_table($1::regclass, 'userId', colocate_with => $2)", [table, beside]);
  }
  // Rows that were there have been copied to where they belong; Citus hides what they leave, and keeps it on the disk.
  const { rows: leavings } = await client.query<{ name: string }>(
    "SELECT logicalrelid::text AS name FROM pg_dist_partition WHERE logicalrelid::text = ANY ($1) AND pg_relation_size(logicalrelid) > 0",
    [[...references, ...spread]],
  );
  for (const { name } of leavings) await client.query("SELECT truncate_local_data_after_distributing_table($1::regclass)", [name]);
  return newTables;
}
