import { accessSync, constants, existsSync, mkdtempSync, rmdirSync, statfsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { FilterPolicy } from "@periscope/privacy";
import type { DatabaseReport } from "../storage/engine.js";
import { explainSystemError } from "./explain-error.js";

/** One thing about an installation that was looked at: a line of `periscope doctor`, or of the page System. */
export interface Finding {
  isOk: boolean;
  /** What was checked, and the result. */
  what: string;
  advice?: string;
}

const freeBytesMin = 256 * 1024 * 1024;
/** An earlier time means that the clock was never set. */
const clockMinimum = Date.UTC(2026, 0, 1);
const clockSlackMs = 300_000;

/** Older versions of Node.js do not start the server. */
export const checkNode = (): Finding => ({ isOk: true, what: `Node.js ${process.versions.node}` });

/** @param problems a line for each setting with a wrong value, and each variable that looks like a mistyped setting */
export function checkSettings(problems: readonly string[]): Finding[] {
  if (problems.length === 0) return [{ isOk: true, what: "settings: all values are allowed" }];
  return problems.map((problem) => ({ isOk: false, what: `settings: ${problem}` }));
}

/** The operator's privacy policy in a few words. */
export function policySummary({ minimumLevel = "public" }: FilterPolicy, file: string | null): string {
  return `minimum level ${minimumLevel}${file === null ? "" : `, policy file ${file}`}`;
}

/** Checks where the server writes: the data directory, and the file of a database on this machine with its folder and disk. */
export function checkPlaces(dataDir: string, file: string | undefined): Finding[] {
  if (file === undefined) return [checkDirectory(dataDir, "directory of imports", "the first import")];
  const folder = dirname(file);
  return [
    checkDirectory(dataDir),
    ...(folder === dataDir ? [] : [checkDirectory(folder, "folder of the database", "the first start", "--database-url")]),
    ...checkFile(file),
    checkSpace(folder),
  ];
}

/** Checks that a directory can be written or created. Creates and removes an empty directory in it. */
function checkDirectory(directory: string, name = "data directory", maker = "the first start", flag = "--data-dir"): Finding {
  const missing = !existsSync(directory);
  const probed = nearestDirectory(directory);
  try {
    if (!statSync(probed).isDirectory())
      return { isOk: false, what: `${name}: ${probed} is a file`, advice: `Choose another place with ${flag}.` };
    accessSync(probed, constants.R_OK | constants.W_OK | constants.X_OK);
    rmdirSync(mkdtempSync(join(probed, ".periscope-doctor-")));
  } catch (error) {
    return { isOk: false, what: `${name}: ${probed} cannot be written`, advice: explainSystemError(error as Error) };
  }
  return { isOk: true, what: `${name}: ${directory} ${missing ? `will be created by ${maker}` : "can be written"}` };
}

/** Checks that the file of a database can be written; nothing is said of one that is missing or as it should be. */
function checkFile(file: string): Finding[] {
  try {
    if (!existsSync(file)) return [];
    accessSync(file, constants.W_OK);
    // Root could write it, but the server leaves alone what was made read-only.
    if ((statSync(file).mode & 0o222) !== 0) return [];
  } catch (error) {
    return [{ isOk: false, what: `database: ${file} cannot be written`, advice: explainSystemError(error as Error) }];
  }
  return [{ isOk: false, what: `database: ${file} is read-only`, advice: "Let the server's user write to it." }];
}

/** Checks that the disk of a directory has room to work in. */
function checkSpace(directory: string): Finding {
  const { bavail, bsize } = statfsSync(nearestDirectory(directory));
  const isOk = bavail * bsize >= freeBytesMin;
  const mebibytes = Math.floor((bavail * bsize) / 1024 / 1024);
  return {
    isOk,
    what: `disk: ${mebibytes} MiB free`,
    ...(!isOk && { advice: "Free some space: the server needs about 256 MiB to work in." }),
  };
}

function nearestDirectory(path: string): string {
  return existsSync(path) || path === dirname(path) ? path : nearestDirectory(dirname(path));
}

/** @param sound what is known of a database without damage, such as "is intact" */
export function checkDatabase(place: string, sound: string, { damage, pending, unknown, users, keys }: DatabaseReport): Finding[] {
  const isUsable = users === 0 || keys > 0;
  return [
    damage.length === 0
      ? { isOk: true, what: `database: ${place} ${sound}` }
      : {
          isOk: false,
          what: `database: ${place} is damaged (${damage[0]})`,
          advice: "Restore a backup, or move the file away to start with an empty database.",
        },
    unknown.length > 0
      ? {
          isOk: false,
          what: `migrations: a newer version of Periscope wrote this database (${unknown.join(", ")})`,
          advice: "Start that version or a newer one.",
        }
      : { isOk: true, what: pending.length === 0 ? "migrations: up to date" : `migrations: the next start applies ${pending.length}` },
    {
      isOk: isUsable,
      what: `access: ${users} ${users === 1 ? "user" : "users"}, ${keys} valid ${keys === 1 ? "key" : "keys"}`,
      ...(!isUsable && { advice: "No valid key is left. Create one: periscope keys create --user USER --scopes read,write,delete" }),
    },
  ];
}

/** Checks the clock against a fixed date and the latest time in the database. Times are milliseconds since the epoch. */
export function checkClock(now: number, latest: number | null): Finding {
  const minimum = Math.max(clockMinimum, latest ?? 0);
  const isOk = now >= minimum - clockSlackMs;
  const advice = `The clock is behind ${secondOf(minimum)}, which is in the past. Set the clock: it decides when keys expire and how contexts are ordered.`;
  return { isOk, what: `clock: ${secondOf(now)}`, ...(!isOk && { advice }) };
}

const secondOf = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, "Z");
