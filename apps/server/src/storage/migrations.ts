import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export interface Migration {
  name: string;
  sql: string;
}

/** The migrations that ship with the server for an engine, oldest first. */
export function shippedMigrations(engine: "sqlite" | "postgres"): Migration[] {
  const folder = migrationsFolder(engine);
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return names
    .map(({ name }) => ({ name, sql: readFileSync(join(folder, name, "migration.sql"), "utf8") }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** What a database has yet to get, and what it has of a newer version, by the names of the migrations it had. */
export function compareMigrations(applied: readonly string[], shipped: readonly Migration[]): { missing: Migration[]; unknown: string[] } {
  const known = new Set(shipped.map(({ name }) => name));
  return {
    missing: shipped.filter(({ name }) => !applied.includes(name)),
    unknown: applied.filter((name) => !known.has(name)),
  };
}

/** The migrations that a database has yet to get. Throws when a newer version wrote it. */
export function missingMigrations(applied: readonly string[], shipped: readonly Migration[]): Migration[] {
  const { missing, unknown } = compareMigrations(applied, shipped);
  if (unknown.length === 0) return missing;
  throw new Error(
    `The database was written by a newer version of Periscope (migration ${unknown.join(", ")}); start that version or newer.`,
  );
}

/** What to say where the tables of a migration are there already, and Periscope did not make them. `place` names the database. */
export function tablesOfOthers(place: string, cause: Error): Error {
  return new Error(
    `${place} has tables of another program (${cause.message}). None of them was changed; give Periscope a database of its own by DATABASE_URL.`,
    { cause },
  );
}

// The same place seen from the source and from the bundle: prisma/ stands at the root of the package.
function migrationsFolder(engine: string): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const candidate = join(folder, "prisma", engine, "migrations");
    if (existsSync(candidate)) return candidate;
    if (folder === dirname(folder)) throw new Error("The migrations are missing from this installation; install it again.");
  }
}
