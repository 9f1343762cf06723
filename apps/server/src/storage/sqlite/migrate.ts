import Database from "better-sqlite3";
import { createHash, randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { busyTimeoutMs } from "./pragmas.js";

export interface Migration {
  name: string;
  sql: string;
}

// As `prisma migrate` makes it, so that Prisma's own command understands the database.
const bookkeeping = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  "id" TEXT PRIMARY KEY NOT NULL, "checksum" TEXT NOT NULL, "finished_at" DATETIME, "migration_name" TEXT NOT NULL, "logs" TEXT,
  "rolled_back_at" DATETIME, "started_at" DATETIME NOT NULL DEFAULT current_timestamp, "applied_steps_count" INTEGER UNSIGNED NOT NULL DEFAULT 0)`;

/** The migrations that ship with the server, oldest first. */
export function shippedMigrations(): Migration[] {
  const folder = migrationsFolder();
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return names
    .map(({ name }) => ({ name, sql: readFileSync(join(folder, name, "migration.sql"), "utf8") }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

// The same place seen from the source and from the bundle: prisma/ stands at the root of the package.
function migrationsFolder(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const candidate = join(folder, "prisma", "sqlite", "migrations");
    if (existsSync(candidate)) return candidate;
    if (folder === dirname(folder)) throw new Error("The migrations are missing from this installation; install it again.");
  }
}

/**
 * Brings the database at `file` up to date, all or nothing, also when several processes try at once.
 * Throws when the database was written by a newer version. Returns the names applied.
 */
export function migrateSqlite(file: string, migrations: readonly Migration[] = shippedMigrations()): string[] {
  const db = new Database(file);
  try {
    db.pragma(`busy_timeout = ${busyTimeoutMs}`);
    db.pragma("journal_mode = WAL");
    db.pragma("synchronous = FULL");
    db.pragma("secure_delete = ON");
    return db.transaction(() => applyMissing(db, migrations)).immediate();
  } finally {
    db.close();
  }
}

function applyMissing(db: Database.Database, migrations: readonly Migration[]): string[] {
  db.exec(bookkeeping);
  const applied = db.prepare<[], string>(`SELECT "migration_name" FROM "_prisma_migrations" WHERE "rolled_back_at" IS NULL`).pluck().all();
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = applied.filter((name) => !known.has(name));
  if (unknown.length > 0)
    throw new Error(
      `The database was written by a newer version of Periscope (migration ${unknown.join(", ")}); start that version or newer.`,
    );
  const missing = migrations.filter(({ name }) => !applied.includes(name));
  const record = db.prepare(
    `INSERT INTO "_prisma_migrations" ("id", "checksum", "migration_name", "started_at", "finished_at", "applied_steps_count") VALUES (?, ?, ?, ?, ?, 1)`,
  );
  for (const { name, sql } of missing) {
    const startedAt = Date.now();
    db.exec(sql);
    record.run(randomUUID(), createHash("sha256").update(sql).digest("hex"), name, startedAt, Date.now());
  }
  return missing.map(({ name }) => name);
}
