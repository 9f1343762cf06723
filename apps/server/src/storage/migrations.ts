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

/** The database has migrations that this version does not know. */
export function newerDatabase(unknown: readonly string[]): Error {
  return new Error(
    `The database was written by a newer version of Periscope (migration ${unknown.join(", ")}); start that version or newer.`,
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
