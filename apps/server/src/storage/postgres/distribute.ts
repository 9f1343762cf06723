import type pg from "pg";
import { placeOf } from "../../database-url.js";
import { withMigrationLock } from "./migrate.js";
import { connect } from "./pool.js";

/** Every machine has these whole: they are small, change when an operator says so, and are read without a user. */
const references = ["api_keys", "access_changes"];
/** These are spread by user: the rows of one user of every table are on one machine. */
const spread = [
  "users",
  "key_uses",
  "contexts",
  "tombstones",
  "processed_messages",
  "extensions",
  "extension_errors",
  "privacy_rules",
  "privacy_progress",
  "rate_windows",
  "search_terms",
];

/**
 * Spreads the tables over the machines of a Citus cluster, by user. Returns the names of the tables that were not spread yet. Waits for a
 * running migration. Throws, and changes nothing, where the extension is missing or has no machine to spread them over.
 */
export async function distributePostgres(databaseUrl: string): Promise<string[]> {
  const client = await connect(databaseUrl, { application_name: "periscope migrate" });
  try {
    return await withMigrationLock(client, () => distributeHere(client, placeOf(databaseUrl)));
  } finally {
    await client.end();
  }
}

async function distributeHere(client: pg.Client, place: string): Promise<string[]> {
  if (!(await hasCitus(client)))
    throw new Error(
      `${place} is no Citus cluster: its database does not have the extension "citus". Nothing was changed. Install Citus on every machine of the cluster, run CREATE EXTENSION citus in the database, and try again.`,
    );
  const { rows: machines } = await client.query("SELECT 1 FROM pg_dist_node WHERE isactive AND shouldhaveshards LIMIT 1");
  if (machines.length === 0)
    throw new Error(
      `${place} knows no machine to spread the tables over. Nothing was changed. Name the coordinator by citus_set_coordinator_host and each worker by citus_add_node, and try again.`,
    );
  return await distributeTables(client);
}

async function distributeTables(client: pg.Client): Promise<string[]> {
  const known = await distributedTables(client);
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
  for (const table of missing(references)) await client.query("SELECT create_reference_table($1::regclass)", [table]);
  for (const table of missing(spread)) {
    const beside = table === "users" ? "none" : "users";
    await client.query("SELECT create_distributed_table($1::regclass, 'userId', colocate_with => $2)", [table, beside]);
  }
  // Rows that were there have been copied to where they belong; Citus hides what they leave, and keeps it on the disk.
  const { rows: leavings } = await client.query<{ name: string }>(
    "SELECT logicalrelid::text AS name FROM pg_dist_partition WHERE logicalrelid::text = ANY ($1) AND pg_relation_size(logicalrelid) > 0",
    [[...references, ...spread]],
  );
  for (const { name } of leavings) await client.query("SELECT truncate_local_data_after_distributing_table($1::regclass)", [name]);
  return missing([...references, ...spread]);
}

async function hasCitus(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query("SELECT 1 FROM pg_extension WHERE extname = 'citus'");
  return rows.length > 0;
}

async function distributedTables(client: pg.Client): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ name: string }>("SELECT logicalrelid::text AS name FROM pg_dist_partition");
  return new Set(rows.map(({ name }) => name));
}
