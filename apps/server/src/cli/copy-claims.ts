import { existsSync } from "node:fs";
import { claimDatabase, DatabaseTaken } from "../data-directory.js";
import { fileOf, isPostgresUrl } from "../database-url.js";
import { claimPostgres } from "../storage/copy/open-copy-ends.js";
import { copyPlace } from "./copy-report.js";
import { Incomplete, UsageError } from "./failure.js";

/** The right to a database; disposing gives it up. */
type Claim = Disposable | AsyncDisposable;

const nothing: Claim = { [Symbol.dispose]: () => {} };

/** Throws {@link UsageError} when there is no such file; what a PostgreSQL server has, opening it tells. */
export function requireThere(databaseUrl: string): void {
  if (isPostgresUrl(databaseUrl) || existsSync(fileOf(databaseUrl))) return;
  throw new UsageError(`There is no database ${fileOf(databaseUrl)}. Name the file with its whole path.`);
}

/**
 * Keeps servers off the database that is copied, for as long as the result is not disposed. Throws when one is at work, unless the copy
 * is to be `live`.
 */
export async function claimSource(databaseUrl: string, live: boolean): Promise<Claim> {
  if (live) return nothing;
  return await claim(databaseUrl, "Stop it first, or add --live: then what it stores from now on is not copied.");
}

/** The same for the database that is copied into, which no server may use meanwhile. */
export async function claimTarget(databaseUrl: string): Promise<Claim> {
  return await claim(databaseUrl, "Stop it first, or copy into another database.");
}

async function claim(databaseUrl: string, advice: string): Promise<Claim> {
  const taken = () => new Incomplete(`A Periscope server, or another copy, is at work on ${copyPlace(databaseUrl)}. ${advice}`);
  if (isPostgresUrl(databaseUrl)) {
    const claim = await claimPostgres(databaseUrl);
    if (!claim) throw taken();
    return claim;
  }
  try {
    return claimDatabase(fileOf(databaseUrl));
  } catch (error) {
    throw error instanceof DatabaseTaken ? taken() : error;
  }
}
