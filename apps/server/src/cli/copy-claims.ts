import { existsSync } from "node:fs";
import { claimDatabase, DatabaseTaken } from "../data-directory.js";
import { fileOf, isPostgresUrl } from "../database-url.js";
import { isServed } from "../storage/copy/open-copy-ends.js";
import { copyPlace } from "./copy-report.js";
import { Incomplete, UsageError } from "./failure.js";

const nothing: Disposable = { [Symbol.dispose]: () => {} };

/** Throws {@link UsageError} when there is no such file; what a PostgreSQL server has, opening it tells. */
export function requireThere(databaseUrl: string): void {
  if (isPostgresUrl(databaseUrl) || existsSync(fileOf(databaseUrl))) return;
  throw new UsageError(`There is no database ${fileOf(databaseUrl)}. Name the file with its whole path.`);
}

/**
 * Keeps servers off the database that is copied, for as long as the result is not disposed. On PostgreSQL it only looks whether one is
 * at work. Throws when one is, unless the copy is to be `live`.
 */
export async function claimSource(databaseUrl: string, live: boolean): Promise<Disposable> {
  if (live) return nothing;
  return await claim(databaseUrl, "Stop it first, or add --live: then what it stores from now on is not copied.");
}

/** The same for the database that is copied into, which no server may use meanwhile. */
export async function claimTarget(databaseUrl: string): Promise<Disposable> {
  return await claim(databaseUrl, "Stop it first, or copy into another database.");
}

async function claim(databaseUrl: string, advice: string): Promise<Disposable> {
  const taken = () => new Incomplete(`A Periscope server, or another copy, is at work on ${copyPlace(databaseUrl)}. ${advice}`);
  if (isPostgresUrl(databaseUrl)) {
    if (await isServed(databaseUrl)) throw taken();
    return nothing;
  }
  try {
    return claimDatabase(fileOf(databaseUrl));
  } catch (error) {
    throw error instanceof DatabaseTaken ? taken() : error;
  }
}
