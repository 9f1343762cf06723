import { indexAllPending } from "./sqlite/index-pending.js";
import { migrateSqlite } from "./sqlite/migrate.js";
import { openSqlite } from "./sqlite/open-sqlite.js";
import { sqliteFile } from "./sqlite/sqlite-url.js";
import type { Storage } from "./storage.js";

export interface StorageOptions {
  /** `file:` URL of the embedded database. */
  databaseUrl: string;
  /** How long a search may run, in milliseconds. */
  searchTimeoutMs: number;
  /** Told of each search that ran out of that time. */
  onSearchTimeout?: () => void;
}

/** Opens the database that the URL names, bringing it up to date first. Throws when it was written by a newer version. */
export async function openStorage({ databaseUrl, ...options }: StorageOptions): Promise<Storage> {
  return openSqlite(sqliteFile(databaseUrl), options);
}

/** Brings the database up to date without opening it for service. */
export async function migrateStorage(databaseUrl: string): Promise<{ applied: string[] }> {
  const file = sqliteFile(databaseUrl);
  const applied = migrateSqlite(file);
  await indexAllPending(file);
  return { applied };
}
