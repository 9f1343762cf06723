import { type DatabaseReport, inspectSqlite, pendingSqlite } from "./sqlite/inspect-sqlite.js";
import { sqliteFile } from "./sqlite/sqlite-url.js";

export type { DatabaseReport };

/** Looks at a database without changing it; null when there is none yet. Throws when it cannot be read. */
export function inspectStorage(databaseUrl: string): DatabaseReport | null {
  return inspectSqlite(sqliteFile(databaseUrl));
}

/** Migrations that the next opening of a database applies. Throws when it cannot be read. */
export function pendingMigrations(databaseUrl: string): string[] {
  return pendingSqlite(sqliteFile(databaseUrl));
}
