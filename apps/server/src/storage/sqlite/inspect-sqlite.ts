import type Database from "better-sqlite3";
import { existsSync } from "node:fs";
import type { DatabaseReport } from "../database-report.js";
import { shippedMigrations } from "../shipped-migrations.js";
import { hasTable } from "./has-table.js";
import { openForReading } from "./open-for-reading.js";

/** Looks at the database in `file`, by a connection that cannot write, once what a crash left half written is rolled back; null when there is no such file. */
export function inspectSqlite(file: string, now: number = Date.now()): DatabaseReport | null {
  if (!existsSync(file)) return null;
  const db = openForReading(file);
  try {
    const complaints = db.prepare<[], string>("PRAGMA quick_check(5)").pluck().all();
    const applied = appliedMigrations(db);
    const shipped = shippedMigrations("sqlite").map(({ name }) => name);
    return {
      damage: complaints.filter((complaint) => complaint !== "ok"),
      pending: shipped.filter((name) => !applied.includes(name)),
      unknown: applied.filter((name) => !shipped.includes(name)),
      ...(hasTable(db, "users") && hasTable(db, "api_keys") ? countAccess(db, now) : { users: 0, keys: 0, latest: null }),
    };
  } finally {
    db.close();
  }
}

/** Migrations that the database in `file` has not had yet. */
export function pendingSqlite(file: string): string[] {
  const db = openForReading(file);
  try {
    const applied = appliedMigrations(db);
    return shippedMigrations("sqlite")
      .map(({ name }) => name)
      .filter((name) => !applied.includes(name));
  } finally {
    db.close();
  }
}

/** Names of the migrations that a database has; none without the table of them. */
export function appliedMigrations(db: Database.Database): string[] {
  if (!hasTable(db, "_prisma_migrations")) return [];
  return db.prepare<[], string>(`SELECT "migration_name" FROM "_prisma_migrations" WHERE "rolled_back_at" IS NULL`).pluck().all();
}

function countAccess(db: Database.Database, now: number): Pick<DatabaseReport, "users" | "keys" | "latest"> {
  const counts = db.prepare<[number], { users: number; keys: number; latest: number | null }>(
    `SELECT (SELECT count(*) FROM users) AS users,
            (SELECT count(*) FROM api_keys WHERE revokedAt IS NULL AND (expiresAt IS NULL OR expiresAt > ?)) AS keys,
            (SELECT max(at) FROM (SELECT max(createdAt) AS at FROM users UNION ALL SELECT max(createdAt) FROM api_keys
                                  UNION ALL SELECT max(lastUsedAt) FROM api_keys)) AS latest`,
  );
  return counts.get(now) ?? { users: 0, keys: 0, latest: null };
}
