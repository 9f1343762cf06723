import type Database from "better-sqlite3";
import { existsSync } from "node:fs";
import type { DatabaseReport, OnStep } from "../engine.js";
import { compareMigrations, type Migration, missingMigrations, shippedMigrations, tablesOfOthers } from "../migrations.js";
import { openReader, openWriter } from "./connection.js";

/**
 * Brings the database at `file` up to date, all or nothing, also when several processes try at once.
 * Throws when a newer version wrote the database, or another program. Returns the names applied.
 */
export function migrateSqlite(
  file: string,
  migrations: readonly Migration[] = shippedMigrations("sqlite"),
  onStep: OnStep = () => {},
): string[] {
  const db = openWriter(file);
  try {
    return db.transaction(() => applyMissing(db, migrations, onStep)).immediate();
  } catch (error) {
    throw error instanceof Error && /^table .* already exists$/.test(error.message) ? tablesOfOthers(file, error) : error;
  } finally {
    db.close();
  }
}

function applyMissing(db: Database.Database, migrations: readonly Migration[], onStep: OnStep): string[] {
  db.exec("CREATE TABLE IF NOT EXISTS periscope_migrations (name TEXT PRIMARY KEY NOT NULL)");
  const missing = missingMigrations(appliedMigrations(db), migrations);
  const record = db.prepare("INSERT INTO periscope_migrations (name) VALUES (?)");
  for (const [done, { name, sql }] of missing.entries()) {
    onStep(done, missing.length);
    db.exec(sql);
    record.run(name);
  }
  return missing.map(({ name }) => name);
}

/** Looks at the database in `file` without changing it; null when there is no such file. */
export function inspectSqlite(file: string, { checksDamage } = { checksDamage: true }): DatabaseReport | null {
  if (!existsSync(file)) return null;
  const db = openReader(file);
  try {
    const complaints = checksDamage ? db.prepare<[], string>("PRAGMA quick_check(5)").pluck().all() : [];
    const applied = appliedMigrations(db);
    const { missing, unknown } = compareMigrations(applied, shippedMigrations("sqlite"));
    return {
      isPeriscope: applied.length > 0,
      damage: complaints.filter((complaint) => complaint !== "ok"),
      pending: missing.map(({ name }) => name),
      unknown,
      ...(hasTable(db, "users") && hasTable(db, "api_keys") ? countAccess(db) : { users: 0, keys: 0, latest: null }),
    };
  } finally {
    db.close();
  }
}

function appliedMigrations(db: Database.Database): string[] {
  return hasTable(db, "periscope_migrations") ? db.prepare<[], string>("SELECT name FROM periscope_migrations").pluck().all() : [];
}

function hasTable(db: Database.Database, name: string): boolean {
  return db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !== undefined;
}

function countAccess(db: Database.Database): Pick<DatabaseReport, "users" | "keys" | "latest"> {
  const counts = db.prepare<[number], { users: number; keys: number; latest: number | null }>(
    `SELECT (SELECT count(*) FROM users) AS users,
            (SELECT count(*) FROM api_keys WHERE revokedAt IS NULL AND (expiresAt IS NULL OR expiresAt > ?)) AS keys,
            (SELECT max(at) FROM (SELECT max(createdAt) AS at FROM users UNION ALL SELECT max(createdAt) FROM api_keys
                                  UNION ALL SELECT max(lastUsedAt) FROM api_keys)) AS latest`,
  );
  return counts.get(Date.now()) ?? { users: 0, keys: 0, latest: null };
}
