import { placeOf } from "../../database-url.js";
import { connect } from "./connect.js";

/** What every machine has whole: it is small, and read without a user. */
const references = ["api_keys", "access_changes"];
/** What is spread by user, the rows of one user of every table on the same machine. */
const spread = [
  "users",
  "contexts",
  "tombstones",
  "processed_messages",
  "extensions",
  "extension_errors",
  "privacy_rules",
  "privacy_progress",
  "rate_windows",
  "search_terms",
  "search_vectors",
];

/**
 * Spreads the tables over the machines of a Citus cluster, by user; what is spread already stays as it is. Returns the names of the tables
 * that were not yet. Throws, and changes nothing, where the extension is missing.
 */
export async function distributePostgres(databaseUrl: string): Promise<string[]> {
  const client = await connect(databaseUrl, { application_name: "periscope migrate" });
  try {
    const { rows: extensions } = await client.query("SELECT 1 FROM pg_extension WHERE extname = 'citus'");
    if (extensions.length === 0)
      throw new Error(
        `${placeOf(databaseUrl)} is no Citus cluster: its database does not have the extension "citus". Nothing was changed. Install Citus on every machine of the cluster, run CREATE EXTENSION citus in the database, and try again.`,
      );
    const { rows } = await client.query<{ name: string }>("SELECT logicalrelid::text AS name FROM pg_dist_partition");
    const known = new Set(rows.map(({ name }) => name));
    const missing = (tables: readonly string[]) => tables.filter((table) => !known.has(table));
    for (const table of missing(references)) await client.query("SELECT create_reference_table($1::regclass)", [table]);
    for (const table of missing(spread)) {
      const beside = table === "users" ? "none" : "users";
      await client.query("SELECT create_distributed_table($1::regclass, 'userId', colocate_with => $2)", [table, beside]);
    }
    return missing([...references, ...spread]);
  } finally {
    await client.end();
  }
}
