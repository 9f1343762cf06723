import { once } from "node:events";
import { createServer } from "node:net";
import type { Command } from "commander";
import { type Config, ConfigError, type ConfigFlags, readConfig, unknownSettings } from "../config/config.js";
import { type DatabaseReport, type Engine, engineOf } from "../storage/engine.js";
import { checkClock, checkDatabase, checkNode, checkPlaces, checkSettings, type Finding, policySummary } from "../system/findings.js";
import { findServer } from "./data-directory.js";
import { withDatabaseOptions } from "./database.js";
import { CommandFailed, explainFailure } from "./failure.js";
import { policyName } from "./privacy.js";
import type { Terminal } from "./terminal.js";

export function addDoctorCommand(program: Command, terminal: Terminal): void {
  withDatabaseOptions(program.command("doctor").description("check this installation and say what to do; changes nothing"))
    .option("--host <address>", "address that the server is to listen on (HOST)")
    .option("--port <number>", "port that the server is to listen on (PORT)")
    .action(async (flags: ConfigFlags) => {
      let problems = 0;
      for await (const { isOk, what, advice } of check(terminal.env, flags)) {
        if (!isOk) problems++;
        terminal.out(`${isOk ? "ok     " : "problem"}  ${what}\n${advice === undefined ? "" : `         ${advice}\n`}`);
      }
      if (problems > 0) throw new CommandFailed(`${problems} ${problems === 1 ? "problem" : "problems"} found.`);
      terminal.out("No problems found.\n");
    });
}

async function* check(env: Terminal["env"], flags: ConfigFlags): AsyncGenerator<Finding> {
  yield checkNode();
  let config;
  try {
    config = readConfig(env, flags);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    yield* checkSettings([...unknownSettings(env), ...error.problems]);
    return;
  }
  yield* checkSettings(config.unknownSettings);
  const engine = engineOf(config.databaseUrl);
  // With a database server nothing is in the data directory; a server that runs there belongs to another installation.
  const running = engine.file === undefined ? null : findServer(config.dataDir);
  yield checkPolicy(config, running?.info?.policy);
  yield* checkPlaces(config.dataDir, engine.file);
  const now = Date.now();
  let report: DatabaseReport | null = null;
  try {
    report = await engine.inspect();
    if (report === null && running !== null)
      yield {
        isOk: false,
        what: `database: ${engine.place} is gone, and the server that uses it still runs`,
        advice: "Move the file back, or restore a backup and restart the server.",
      };
    else if (report === null) yield { isOk: true, what: `database: ${engine.place} will be created by the first start` };
    else yield* checkDatabase(engine.place, engine.file === undefined ? "can be read" : "is intact", report);
  } catch (error) {
    yield { isOk: false, what: `database: ${engine.place} cannot be read`, advice: explainFailure(error).message };
  }
  yield checkClock(now, report?.latest ?? null);
  if (running === null) yield await checkPort(config, engine);
  else {
    const process = running.info === null ? "" : ` (process ${running.info.pid}, ${running.info.address ?? "starting"})`;
    yield { isOk: true, what: `server: running on this data directory${process}` };
  }
}

function checkPolicy({ privacyPolicy, privacyPolicyFile }: Config, running: string | undefined): Finding {
  const what = `privacy: ${policySummary(privacyPolicy, privacyPolicyFile)}`;
  if (running === undefined || running === policyName(privacyPolicy)) return { isOk: true, what };
  return {
    isOk: false,
    what: `${what}, but the running server uses another policy`,
    advice: "Restart the server, or run this command with the server's environment.",
  };
}

/** Checks that the address is free to listen on, or that Periscope already listens there. */
async function checkPort({ host, port }: Config, { file }: Engine): Promise<Finding> {
  if (port === 0) return { isOk: true, what: "port: any free one" };
  const place = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  const error = await listenError(host, port);
  if (error === null) return { isOk: true, what: `port: ${place} is free` };
  if ((error as { code?: unknown }).code !== "EADDRINUSE" || !(await isPeriscope(place)))
    return { isOk: false, what: `port: ${place} cannot be listened on`, advice: explainFailure(error).message };
  const other = file === undefined ? "this database or another; a second one" : "another data directory; this one";
  return { isOk: true, what: `port: ${place} is used by a Periscope server with ${other} needs another port` };
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
