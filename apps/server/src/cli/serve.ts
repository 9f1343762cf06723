import type { Command } from "commander";
import { ulid } from "ulid";
import { createFirstKey } from "../access/first-key.js";
import { type ConfigFlags, flagName } from "../config.js";
import { claimDatabase, claimDataDirectory } from "../data-directory.js";
import { startServer } from "../main.js";
import { prepareData, withDatabaseOptions } from "./database-options.js";
import { policyName, policySummary } from "./policy-name.js";
import { listenForStop } from "./stop-signal.js";
import { commandName, shellWord, type Terminal } from "./terminal.js";
import { welcomeText } from "./welcome.js";

/** The contract gives 10 seconds from the signal to the end of the process. */
const stopWithinMs = 9_800;

/** `periscope serve`. */
export function addServeCommand(program: Command, terminal: Terminal): void {
  withDatabaseOptions(program.command("serve").description("start the service"))
    .option("--host <address>", "address to listen on, default 127.0.0.1 (HOST)")
    .option("--port <number>", "port to listen on, default 3000; 0 takes a free one (PORT)")
    .option("--log-level <level>", "trace, debug, info, warn, error, fatal or silent, default info (LOG_LEVEL)")
    .addHelpText("after", "\nEvery setting is also an environment variable; docs/configuration.md lists them all.")
    .action((flags: ConfigFlags) => serve(terminal, flags));
}

/** Serves until told to stop; closing is bounded by the configuration, and by {@link stopWithinMs} in any case. */
async function serve(terminal: Terminal, flags: ConfigFlags): Promise<void> {
  using stop = listenForStop();
  const config = prepareData(terminal.env, flags);
  using claim = claimDataDirectory(config.dataDir);
  using _database = claimDatabase(config.databaseUrl.slice("file:".length));
  const server = await startServer(config);
  const startedInMs = performance.now();
  try {
    const { privacyPolicy, privacyPolicyFile } = config;
    claim.announce({ address: server.baseUrl, policy: policyName(privacyPolicy) });
    const firstKey = await createFirstKey(server.access);
    const privacy = policySummary(privacyPolicy, privacyPolicyFile);
    const facts = { baseUrl: server.baseUrl, firstKey, startedInMs, now: Date.now(), messageId: `msg_${ulid()}`, privacy };
    terminal.out(welcomeText({ ...facts, command: (words) => typedAgain(terminal, flags, words) }));
    await stop.requested;
  } finally {
    const overdue = setTimeout(() => {
      terminal.err("Closing took too long; the process ends now. What was answered is stored.\n");
      process.exit(1);
    }, stopWithinMs);
    await server.close();
    clearTimeout(overdue);
  }
}

/** A further command on the same data: flags are repeated, variables are taken to be set still. */
function typedAgain({ env }: Terminal, flags: ConfigFlags, words: string): string {
  const places = (["dataDir", "databaseUrl"] as const).flatMap((flag) => {
    const value = flags[flag];
    return value === undefined ? [] : [flagName(flag), shellWord(value)];
  });
  return [commandName(env), words, ...places].join(" ");
}
