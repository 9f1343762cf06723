import { isPostgresUrl } from "../database-url.js";
import type { DatabaseReport } from "./database-report.js";
import { inspectPostgres, pendingPostgres } from "./postgres/inspect-postgres.js";
import { inspectSqlite, pendingSqlite } from "./sqlite/inspect-sqlite.js";
import { sqliteFile } from "./sqlite/sqlite-url.js";

export type { DatabaseReport };

/** Looks at a database without changing it, but for what a crash left half written, which is rolled back; null when there is none yet. Rejects when it cannot be read. */
export async function inspectStorage(databaseUrl: string): Promise<DatabaseReport | null> {
  return isPostgresUrl(databaseUrl) ? await inspectPostgres(databaseUrl) : inspectSqlite(sqliteFile(databaseUrl));
}

/** Migrations that the next opening of a database applies. Rejects when it cannot be read. */
export async function pendingMigrations(databaseUrl: string): Promise<string[]> {
  return isPostgresUrl(databaseUrl) ? await pendingPostgres(databaseUrl) : pendingSqlite(sqliteFile(databaseUrl));
}
