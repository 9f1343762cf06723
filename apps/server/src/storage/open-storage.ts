import { isPostgresUrl } from "../database-url.js";
import { distributePostgres } from "./postgres/distribute.js";
import { migratePostgres } from "./postgres/migrate.js";
import { openPostgres } from "./postgres/open-postgres.js";
import type { RateClock } from "../rates/rate.store.js";
import { indexAllPending } from "./sqlite/index-pending.js";
import { migrateSqlite } from "./sqlite/migrate.js";
import { openSqlite } from "./sqlite/open-sqlite.js";
import { sqliteFile } from "./sqlite/sqlite-url.js";
import type { Storage } from "./storage.js";

export interface StorageOptions {
  /** `file:` URL of the embedded database, or `postgres:` URL of a database on a server. */
  databaseUrl: string;
  /** How long a search may run, in milliseconds. */
  searchTimeoutMs: number;
  /** Connections that this process makes to a server at most. @default 10 */
  connectionsMax?: number;
  /** Milliseconds that a statement may run on a server. @default 30,000 */
  statementTimeoutMs?: number;
  /** Told of each search that ran out of that time. */
  onSearchTimeout?: () => void;
  /** What windows of shared budgets are counted by. @default the clock of the database, which is one for all processes */
  rateClock?: RateClock | undefined;
}

/** Opens the database that the URL names, bringing it up to date first. Throws when it was written by a newer version. */
export async function openStorage({
  databaseUrl,
  connectionsMax = 10,
  statementTimeoutMs = 30_000,
  ...options
}: StorageOptions): Promise<Storage> {
  if (isPostgresUrl(databaseUrl)) return await openPostgres(databaseUrl, { ...options, connectionsMax, statementTimeoutMs });
  return openSqlite(sqliteFile(databaseUrl), options);
}

/** Spreads the tables of an up-to-date PostgreSQL over the machines of its Citus cluster; the names of those that were not yet. */
export async function distributeStorage(databaseUrl: string): Promise<string[]> {
  if (!isPostgresUrl(databaseUrl)) throw new RangeError("The embedded database is one file on one machine; name a PostgreSQL database.");
  return await distributePostgres(databaseUrl);
}

/** Brings the database up to date without opening it for service. */
export async function migrateStorage(databaseUrl: string): Promise<{ applied: string[] }> {
  if (isPostgresUrl(databaseUrl)) return { applied: await migratePostgres(databaseUrl) };
  const file = sqliteFile(databaseUrl);
  const applied = migrateSqlite(file);
  await indexAllPending(file);
  return { applied };
}
