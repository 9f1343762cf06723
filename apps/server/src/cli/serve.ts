import type { Command } from "commander";
import { ulid } from "ulid";
import { createFirstKey } from "../access/first-key.js";
import { type ConfigFlags, flagName } from "../config.js";
import { claimDatabase, claimDataDirectory } from "../data-directory.js";
import { fileOf, isPostgresUrl } from "../database-url.js";
import { startServer } from "../main.js";
import { prepareData, withDatabaseOptions } from "./database-options.js";
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
  // Any number of servers may work on one PostgreSQL, and none of them keeps anything on its own disk.
  const isShared = isPostgresUrl(config.databaseUrl);
  using claim = isShared ? undefined : claimDataDirectory(config.dataDir);
  using _database = isShared ? undefined : claimDatabase(fileOf(config.databaseUrl));
  const server = await startServer(config);
  const startedInMs = performance.now();
  try {
    claim?.announce(server.baseUrl);
    const firstKey = await createFirstKey(server.access);
    const facts = { baseUrl: server.baseUrl, firstKey, startedInMs, now: Date.now(), messageId: `msg_${ulid()}` };
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

/** A further command on the same data: flags are repeated, as far as they may be printed; variables are taken to be set still. */
function typedAgain({ env }: Terminal, flags: ConfigFlags, words: string): string {
  const places = (["dataDir", "databaseUrl"] as const).flatMap((flag) => {
    const value = flags[flag];
    if (value === undefined) return [];
    return [flagName(flag), isPostgresUrl(value) ? '"$DATABASE_URL"' : shellWord(value)];
  });
  return [commandName(env), words, ...places].join(" ");
}
