import { newerDatabase, shippedMigrations } from "../shipped-migrations.js";

/** Throws when the database was written by a newer version, or has to be brought up to date first: a source is only read. */
export function requireUpToDate(engine: "sqlite" | "postgres", place: string, applied: readonly string[]): void {
  const shipped = shippedMigrations(engine).map(({ name }) => name);
  const unknown = applied.filter((name) => !shipped.includes(name));
  if (unknown.length > 0) throw newerDatabase(unknown);
  if (applied.length === 0) throw new Error(`${place} is no database of Periscope: it has none of its tables.`);
  if (applied.length < shipped.length)
    throw new Error(
      `${place} was written by an older version and is only read here. Bring it up to date first: periscope migrate --database-url …`,
    );
}

/** The number of contexts when all of these are it, else the first that is not. */
export function placesOf(contexts: number, counts: readonly number[]): number {
  return counts.find((count) => count !== contexts) ?? contexts;
}
