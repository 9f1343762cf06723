import { fileOf, isPostgresUrl } from "../../database-url.js";
import { countSessions, openPostgresSnapshot } from "../postgres/copy-snapshot.js";
import { openPostgresCopyTarget } from "../postgres/copy-target.js";
import { keepServersOff } from "../postgres/server-presence.js";
import { openSqliteSnapshot } from "../sqlite/copy-snapshot.js";
import { sqliteCopyTarget } from "../sqlite/copy-target.js";
import type { CopyTarget, Snapshot } from "./copy-ends.js";

/** The database that the URL names as it is now, to be read. Throws when it cannot be had, or is not up to date. */
export async function openSnapshot(databaseUrl: string): Promise<Snapshot> {
  return isPostgresUrl(databaseUrl) ? await openPostgresSnapshot(databaseUrl) : openSqliteSnapshot(fileOf(databaseUrl));
}

/** The database that the URL names, to be copied into. A file is the caller's claim; on PostgreSQL it throws while another process copies there. */
export async function openCopyTarget(databaseUrl: string): Promise<CopyTarget> {
  return isPostgresUrl(databaseUrl) ? await openPostgresCopyTarget(databaseUrl) : sqliteCopyTarget(fileOf(databaseUrl));
}

/**
 * Keeps servers and other copies off a PostgreSQL database until the result is disposed; undefined when one is at work on it, or a command
 * that may write.
 */
export async function claimPostgres(databaseUrl: string): Promise<AsyncDisposable | undefined> {
  const claim = await keepServersOff(databaseUrl);
  if (!claim) return undefined;
  if ((await countSessions(databaseUrl)) === 0) return claim;
  await claim[Symbol.asyncDispose]();
  return undefined;
}
