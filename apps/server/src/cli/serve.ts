import type { Command } from "commander";
import { ulid } from "ulid";
import type { FirstKey } from "../access/access.service.js";
import { type ConfigFlags, flagName } from "../config.js";
import { claimDatabase, claimDataDirectory } from "../data-directory.js";
import { fileOf, isPostgresUrl } from "../database-url.js";
import { startServer } from "../main.js";
import { prepareData, withAccess, withDatabaseOptions } from "./database-options.js";
import { policyName, policySummary } from "./policy-name.js";
import { otherProcesses } from "./process-metrics.js";
import { announceListening, isServingBesideOthers, startProcesses } from "./server-processes.js";
import { listenForStop, type StopSignal } from "./stop-signal.js";
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
  const { privacyPolicy, privacyPolicyFile } = config;
  const privacy = policySummary(privacyPolicy, privacyPolicyFile);
  const welcome = (baseUrl: string, firstKey: FirstKey | null) => {
    const facts = { baseUrl, firstKey, startedInMs: performance.now(), now: Date.now(), messageId: `msg_${ulid()}`, privacy };
    terminal.out(welcomeText({ ...facts, command: (words) => typedAgain(terminal, flags, words) }));
  };
  if (config.serverProcesses > 1 && !isServingBesideOthers()) {
    // Before the others start, which find the database up to date and somebody in it.
    const firstKey = await withAccess(terminal, flags, (access) => access.createFirstKey());
    const processes = await startProcesses(config.serverProcesses, terminal.err);
    return await untilStopped(stop, terminal, { close: processes.close, begin: async () => welcome(processes.baseUrl, firstKey) });
  }
  // Any number of servers may work on one PostgreSQL, and none of them keeps anything on its own disk.
  const isShared = isPostgresUrl(config.databaseUrl);
  using claim = isShared ? undefined : claimDataDirectory(config.dataDir);
  using _database = isShared ? undefined : claimDatabase(fileOf(config.databaseUrl));
  const server = await startServer(config, { others: otherProcesses() });
  await untilStopped(stop, terminal, {
    close: () => server.close(),
    async begin() {
      if (isServingBesideOthers()) return announceListening(server.baseUrl);
      claim?.announce({ address: server.baseUrl, policy: policyName(privacyPolicy) });
      welcome(server.baseUrl, await server.access.createFirstKey());
    },
  });
}

interface Service {
  /** What is done once it listens. */
  begin(): Promise<void>;
  close(): Promise<void>;
}

async function untilStopped({ requested }: StopSignal, terminal: Terminal, { begin, close }: Service): Promise<void> {
  try {
    await begin();
    await requested;
  } finally {
    const overdue = setTimeout(() => {
      terminal.err("Closing took too long; the process ends now. What was answered is stored.\n");
      process.exit(1);
    }, stopWithinMs);
    await close();
    clearTimeout(overdue);
  }
}

/** A further command on the same data: flags are repeated, as far as they may be printed; variables are taken to be set still. */
function typedAgain({ env }: Terminal, flags: ConfigFlags, words: string): string {
  const places = (["dataDir", "databaseUrl"] as const).flatMap((flag) => {
    const value = flags[flag];
    if (value === undefined) return [];
    return [flagName(flag), isPostgresUrl(value) ? '"$DATABASE_URL"' : shellWord(value)];
  });
  return [commandName(env), words, ...places].join(" ");
}
