import { fileOf, isPostgresUrl } from "../../database-url.js";
import { countServers, openPostgresSnapshot } from "../postgres/copy-snapshot.js";
import { openPostgresCopyTarget } from "../postgres/copy-target.js";
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

/** Whether sessions of servers are open on a PostgreSQL database; one that has been idle for half a minute has none. */
export async function isServed(databaseUrl: string): Promise<boolean> {
  return (await countServers(databaseUrl)) > 0;
}
