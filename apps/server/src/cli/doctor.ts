import type { Command } from "commander";
import { ConfigError, type ConfigFlags, readConfig } from "../config/config.js";
import { isPostgresUrl } from "../database-url.js";
import { serverOf } from "./data-directory.js";
import { withDatabaseOptions } from "./database-options.js";
import { checkClock, checkDatabase, checkDirectory, checkNode, checkPolicy, checkSpace, type Finding } from "./doctor-checks.js";
import { checkPort } from "./doctor-port.js";
import { policyName, policySummary } from "./policy-name.js";
import { Unwell } from "./failure.js";
import type { Terminal } from "./terminal.js";

/** `periscope doctor`. */
export function addDoctorCommand(program: Command, terminal: Terminal): void {
  withDatabaseOptions(program.command("doctor").description("check this installation and say what to do; changes nothing"))
    .option("--host <address>", "address that the server is to listen on (HOST)")
    .option("--port <number>", "port that the server is to listen on (PORT)")
    .action(async (flags: ConfigFlags) => {
      let problems = 0;
      for await (const { ok, what, advice } of findings(terminal.env, flags)) {
        if (!ok) problems++;
        terminal.out(`${ok ? "ok     " : "problem"}  ${what}\n${advice === undefined ? "" : `         ${advice}\n`}`);
      }
      if (problems > 0) throw new Unwell(problems);
      terminal.out("Everything is well.\n");
    });
}

async function* findings(env: Terminal["env"], flags: ConfigFlags): AsyncGenerator<Finding> {
  yield checkNode(process.versions.node);
  let config;
  try {
    config = readConfig(env, flags);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const problem of error.problems) yield { ok: false, what: `settings: ${problem}` };
    return;
  }
  yield { ok: true, what: "settings: all are allowed" };
  const { privacyPolicy, privacyPolicyFile } = config;
  const running = isPostgresUrl(config.databaseUrl) ? undefined : serverOf(config.dataDir)?.presence?.policy;
  yield checkPolicy(policySummary(privacyPolicy, privacyPolicyFile), policyName(privacyPolicy), running);
  if (!isPostgresUrl(config.databaseUrl)) {
    yield checkDirectory(config.dataDir);
    yield checkSpace(config.dataDir);
  }
  const now = Date.now();
  const { report, findings: database } = await checkDatabase(config.databaseUrl);
  yield* database;
  yield checkClock(now, report?.latest ?? null);
  yield await checkPort(config);
}
