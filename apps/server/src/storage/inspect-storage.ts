import { isPostgresUrl } from "../database-url.js";
import type { DatabaseReport } from "./database-report.js";
import { inspectPostgres } from "./postgres/inspect-postgres.js";
import { inspectSqlite } from "./sqlite/inspect-sqlite.js";
import { sqliteFile } from "./sqlite/sqlite-url.js";

export type { DatabaseReport };

/** Looks at a database without changing it; null when there is none yet. Rejects when it cannot be read. */
export async function inspectStorage(databaseUrl: string): Promise<DatabaseReport | null> {
  return isPostgresUrl(databaseUrl) ? await inspectPostgres(databaseUrl) : inspectSqlite(sqliteFile(databaseUrl));
}
