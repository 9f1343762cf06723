import { accessSync, constants, existsSync, mkdtempSync, rmdirSync, statfsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileOf, isPostgresUrl, placeOf } from "../database-url.js";
import { type DatabaseReport, inspectStorage } from "../storage/inspect-storage.js";
import { explainFailure } from "./failure.js";
import { time } from "./table.js";
import { isSupportedNode, nodeMinimum } from "./node-version.js";

/** One line of `periscope doctor`. */
export interface Finding {
  ok: boolean;
  /** What was looked at and what it is like. */
  what: string;
  /** What to do, on a line of its own. */
  advice?: string;
}

const freeBytesMin = 256 * 1024 * 1024;
/** Written down before any release: a clock that says less was never set. */
const clockMinimum = Date.UTC(2026, 0, 1);
const clockSlackMs = 300_000;

/** Whether Node's version, such as `24.1.0`, is one that the server runs on. */
export function checkNode(version: string): Finding {
  const ok = isSupportedNode(version);
  return { ok, what: `Node.js ${version}`, ...(!ok && { advice: `Install Node.js ${nodeMinimum} or newer.` }) };
}

/** Whether the data directory can be written, or made. Writes and removes an empty directory in it. */
export function checkDirectory(directory: string): Finding {
  const missing = !existsSync(directory);
  const probed = missing ? nearestDirectory(directory) : directory;
  try {
    if (!statSync(probed).isDirectory())
      return { ok: false, what: `data directory: ${probed} is a file`, advice: "Choose another place with --data-dir." };
    accessSync(probed, constants.R_OK | constants.W_OK | constants.X_OK);
    rmdirSync(mkdtempSync(join(probed, ".periscope-doctor-")));
  } catch (error) {
    return { ok: false, what: `data directory: ${probed} cannot be written`, advice: explainFailure(error).message };
  }
  return { ok: true, what: `data directory: ${directory} ${missing ? "will be made by the first start" : "can be written"}` };
}

/** Whether a server that runs filters by the privacy policy that these settings name. */
export function checkPolicy(summary: string, name: string, running: string | undefined): Finding {
  const what = `privacy: ${summary}`;
  if (running === undefined || running === name) return { ok: true, what };
  return {
    ok: false,
    what: `${what}, and the server that is running filters by another policy`,
    advice: "Restart it, or give this command the environment that it was started with.",
  };
}

/** Whether the disk of the data directory has room. */
export function checkSpace(directory: string): Finding {
  const { bavail, bsize } = statfsSync(nearestDirectory(directory));
  const ok = bavail * bsize >= freeBytesMin;
  const mebibytes = Math.floor((bavail * bsize) / 1024 / 1024);
  return { ok, what: `disk: ${mebibytes} MiB free`, ...(!ok && { advice: "Make room: the server needs some 256 MiB to work in." }) };
}

/** Whether the database is sound and fits this version, and who is in it. */
export async function checkDatabase(databaseUrl: string): Promise<{ report: DatabaseReport | null; findings: Finding[] }> {
  const file = isPostgresUrl(databaseUrl) ? placeOf(databaseUrl) : fileOf(databaseUrl);
  let report;
  try {
    report = await inspectStorage(databaseUrl);
  } catch (error) {
    return { report: null, findings: [{ ok: false, what: `database: ${file} cannot be read`, advice: explainFailure(error).message }] };
  }
  if (report === null) return { report, findings: [{ ok: true, what: `database: ${file} will be made by the first start` }] };
  return { report, findings: [integrity(file, report), migrations(report), access(report)] };
}

/** Whether the clock can be right: past a fixed date, and past everything on record. */
export function checkClock(now: number, latest: number | null): Finding {
  const minimum = Math.max(clockMinimum, latest ?? 0);
  const ok = now >= minimum - clockSlackMs;
  const advice = `It is behind ${time(minimum, "")}, which is past already. Set the clock: keys expire and contexts are ordered by it.`;
  return { ok, what: `clock: ${time(now, "")}`, ...(!ok && { advice }) };
}

function integrity(file: string, { damage }: DatabaseReport): Finding {
  if (damage.length === 0) return { ok: true, what: `database: ${file} is sound` };
  return {
    ok: false,
    what: `database: ${file} is damaged (${damage[0]})`,
    advice: "Restore a copy, or move the file away to start with an empty database.",
  };
}

function migrations({ pending, unknown }: DatabaseReport): Finding {
  if (unknown.length > 0)
    return {
      ok: false,
      what: `migrations: a newer version of Periscope wrote this database (${unknown.join(", ")})`,
      advice: "Start that version or a newer one.",
    };
  return {
    ok: true,
    what: pending.length === 0 ? "migrations: up to date" : `migrations: ${pending.length} to apply, which the next start does`,
  };
}

function access({ users, keys }: DatabaseReport): Finding {
  const what = `access: ${users} ${users === 1 ? "user" : "users"}, ${keys} valid ${keys === 1 ? "key" : "keys"}`;
  if (users === 0 || keys > 0) return { ok: true, what };
  return { ok: false, what, advice: "No key can be used any more. Make one: periscope keys create --user USER --scopes read,write,delete" };
}

function nearestDirectory(path: string): string {
  return existsSync(path) || path === dirname(path) ? path : nearestDirectory(dirname(path));
}
