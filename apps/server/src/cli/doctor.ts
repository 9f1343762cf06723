import { accessSync, constants, existsSync, mkdtempSync, rmdirSync, statfsSync, statSync } from "node:fs";
import { once } from "node:events";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import type { Command } from "commander";
import { type Config, ConfigError, type ConfigFlags, readConfig, unknownSettings } from "../config/config.js";
import { type DatabaseReport, type Engine, engineOf } from "../storage/engine.js";
import { findServer } from "./data-directory.js";
import { withDatabaseOptions } from "./database.js";
import { CommandFailed, explainFailure } from "./failure.js";
import { type Terminal, time } from "./terminal.js";
import { policyName, policySummary } from "./privacy.js";

/** One line of `periscope doctor`. */
interface Finding {
  ok: boolean;
  /** What was checked, and the result. */
  what: string;
  /** What to do, on a line of its own. */
  advice?: string;
}

const freeBytesMin = 256 * 1024 * 1024;
/** An earlier time means that the clock was never set. */
const clockMinimum = Date.UTC(2026, 0, 1);
const clockSlackMs = 300_000;

/** `periscope doctor`. */
export function addDoctorCommand(program: Command, terminal: Terminal): void {
  withDatabaseOptions(program.command("doctor").description("check this installation and say what to do; changes nothing"))
    .option("--host <address>", "address that the server is to listen on (HOST)")
    .option("--port <number>", "port that the server is to listen on (PORT)")
    .action(async (flags: ConfigFlags) => {
      let problems = 0;
      for await (const { ok, what, advice } of check(terminal.env, flags)) {
        if (!ok) problems++;
        terminal.out(`${ok ? "ok     " : "problem"}  ${what}\n${advice === undefined ? "" : `         ${advice}\n`}`);
      }
      if (problems > 0) throw new CommandFailed(`${problems} ${problems === 1 ? "problem" : "problems"} found.`);
      terminal.out("No problems found.\n");
    });
}

async function* check(env: Terminal["env"], flags: ConfigFlags): AsyncGenerator<Finding> {
  // The command refuses to start on older ones.
  yield { ok: true, what: `Node.js ${process.versions.node}` };
  for (const warning of unknownSettings(env)) yield { ok: false, what: `settings: ${warning}` };
  let config;
  try {
    config = readConfig(env, flags);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const problem of error.problems) yield { ok: false, what: `settings: ${problem}` };
    return;
  }
  yield { ok: true, what: "settings: all values are allowed" };
  const engine = engineOf(config.databaseUrl);
  // With a database server nothing is in the data directory; a server that runs there belongs to another installation.
  const running = engine.file === undefined ? null : findServer(config.dataDir);
  yield checkPolicy(config, running?.info?.policy);
  if (engine.file !== undefined) {
    yield checkDirectory(config.dataDir);
    yield checkSpace(dirname(engine.file));
  }
  const now = Date.now();
  let report: DatabaseReport | null = null;
  try {
    report = await engine.inspect();
    if (report === null && running !== null)
      yield {
        ok: false,
        what: `database: ${engine.place} is gone, and the server that uses it still runs`,
        advice: "Move the file back, or restore a backup and restart the server.",
      };
    else if (report === null) yield { ok: true, what: `database: ${engine.place} will be created by the first start` };
    else yield* checkDatabase(engine, report);
  } catch (error) {
    yield { ok: false, what: `database: ${engine.place} cannot be read`, advice: explainFailure(error).message };
  }
  yield checkClock(now, report?.latest ?? null);
  if (running === null) yield await checkPort(config, engine);
  else {
    const process = running.info === null ? "" : ` (process ${running.info.pid}, ${running.info.address ?? "starting"})`;
    yield { ok: true, what: `server: running on this data directory${process}` };
  }
}

function checkPolicy({ privacyPolicy, privacyPolicyFile }: Config, running: string | undefined): Finding {
  const what = `privacy: ${policySummary(privacyPolicy, privacyPolicyFile)}`;
  if (running === undefined || running === policyName(privacyPolicy)) return { ok: true, what };
  return {
    ok: false,
    what: `${what}, but the running server uses another policy`,
    advice: "Restart the server, or run this command with the server's environment.",
  };
}

/** Checks that the data directory can be written or created. Creates and removes an empty directory in it. */
function checkDirectory(directory: string): Finding {
  const missing = !existsSync(directory);
  const probed = nearestDirectory(directory);
  try {
    if (!statSync(probed).isDirectory())
      return { ok: false, what: `data directory: ${probed} is a file`, advice: "Choose another place with --data-dir." };
    accessSync(probed, constants.R_OK | constants.W_OK | constants.X_OK);
    rmdirSync(mkdtempSync(join(probed, ".periscope-doctor-")));
  } catch (error) {
    return { ok: false, what: `data directory: ${probed} cannot be written`, advice: explainFailure(error).message };
  }
  return { ok: true, what: `data directory: ${directory} ${missing ? "will be created by the first start" : "can be written"}` };
}

function checkSpace(directory: string): Finding {
  const { bavail, bsize } = statfsSync(nearestDirectory(directory));
  const ok = bavail * bsize >= freeBytesMin;
  const mebibytes = Math.floor((bavail * bsize) / 1024 / 1024);
  return { ok, what: `disk: ${mebibytes} MiB free`, ...(!ok && { advice: "Free some space: the server needs about 256 MiB to work in." }) };
}

function nearestDirectory(path: string): string {
  return existsSync(path) || path === dirname(path) ? path : nearestDirectory(dirname(path));
}

function* checkDatabase({ place, file }: Engine, { damage, pending, unknown, users, keys }: DatabaseReport): Generator<Finding> {
  if (damage.length === 0) yield { ok: true, what: `database: ${place} ${file === undefined ? "can be read" : "is intact"}` };
  else
    yield {
      ok: false,
      what: `database: ${place} is damaged (${damage[0]})`,
      advice: "Restore a backup, or move the file away to start with an empty database.",
    };
  if (unknown.length > 0)
    yield {
      ok: false,
      what: `migrations: a newer version of Periscope wrote this database (${unknown.join(", ")})`,
      advice: "Start that version or a newer one.",
    };
  else yield { ok: true, what: pending.length === 0 ? "migrations: up to date" : `migrations: the next start applies ${pending.length}` };
  const what = `access: ${users} ${users === 1 ? "user" : "users"}, ${keys} valid ${keys === 1 ? "key" : "keys"}`;
  if (users === 0 || keys > 0) yield { ok: true, what };
  else yield { ok: false, what, advice: "No valid key is left. Create one: periscope keys create --user USER --scopes read,write,delete" };
}

/** Checks the clock against a fixed date and the latest time in the database. */
export function checkClock(now: number, latest: number | null): Finding {
  const minimum = Math.max(clockMinimum, latest ?? 0);
  const ok = now >= minimum - clockSlackMs;
  const advice = `The clock is behind ${time(minimum, "")}, which is in the past. Set the clock: it decides when keys expire and how contexts are ordered.`;
  return { ok, what: `clock: ${time(now, "")}`, ...(!ok && { advice }) };
}

/** Checks that the address is free to listen on, or that Periscope already listens there. */
async function checkPort({ host, port }: Config, { file }: Engine): Promise<Finding> {
  if (port === 0) return { ok: true, what: "port: any free one" };
  const place = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  const error = await listenError(host, port);
  if (error === null) return { ok: true, what: `port: ${place} is free` };
  if ((error as { code?: unknown }).code !== "EADDRINUSE" || !(await isPeriscope(place)))
    return { ok: false, what: `port: ${place} cannot be listened on`, advice: explainFailure(error).message };
  const other = file === undefined ? "this database or another; a second one" : "another data directory; this one";
  return { ok: true, what: `port: ${place} is used by a Periscope server with ${other} needs another port` };
}

async function listenError(host: string, port: number): Promise<unknown> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, "listening");
    return null;
  } catch (error) {
    return error;
  } finally {
    server.close();
  }
}

/** The OpenAPI document needs no key and names the service. */
async function isPeriscope(place: string): Promise<boolean> {
  try {
    const url = `http://${place.replace(/^(0\.0\.0\.0|\[::\]):/, "127.0.0.1:")}/api/v1/openapi.json`;
    const response = await fetch(url, { signal: AbortSignal.timeout(3000) });
    const { info } = (await response.json()) as { info?: { title?: unknown } };
    return info?.title === "Periscope";
  } catch {
    return false;
  }
}
