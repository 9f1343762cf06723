import type { Command } from "commander";
import { ulid } from "ulid";
import type { FirstKey } from "../access/access.service.js";
import { apiPrefix } from "../http/rest-api.js";
import { addressWarnings, type Config, type ConfigFlags, flagName } from "../config/config.js";
import { type RunningServer, startServer } from "../main.js";
import type { Engine } from "../storage/engine.js";
import { policySummary } from "../system/findings.js";
import { claimDatabase, claimDataDirectory } from "./data-directory.js";
import { prepareData, withDatabaseOptions } from "./database.js";
import { policyName } from "./privacy.js";
import { commandName, listenForStop, shellWord, type Terminal } from "./terminal.js";

/** The server promises to end within 10 seconds of a signal. */
const stopWithinMs = 9_800;

export function addServeCommand(program: Command, terminal: Terminal): void {
  withDatabaseOptions(program.command("serve").description("start the service"))
    .option("--host <address>", "address to listen on, 127.0.0.1 by default (HOST)")
    .option("--port <number>", "port to listen on, 3000 by default; 0 picks a free one (PORT)")
    .option("--log-level <level>", "trace, debug, info, warn, error, fatal or silent; info by default (LOG_LEVEL)")
    .addHelpText("after", "\nEvery setting is an environment variable. docs/configuration.md lists them all.")
    .action((flags: ConfigFlags) => serve(terminal, flags));
}

/** Serves until a signal arrives. Closing takes at most {@link stopWithinMs}. */
async function serve(terminal: Terminal, flags: ConfigFlags): Promise<void> {
  using stop = listenForStop();
  const { config, engine } = prepareData(terminal.env, flags);
  const { privacyPolicy, privacyPolicyFile } = config;
  // A database file has one server. Any number of servers can share a PostgreSQL database.
  using claim = engine.file === undefined ? undefined : claimDataDirectory(config.dataDir);
  using _database = engine.file === undefined ? undefined : claimDatabase(engine.file);
  // A start may wait for another process's migration, however long that takes.
  const server = await Promise.race([startServer(config), stop.requested]);
  // It may be about to listen: its locks must last as long as it does.
  if (server === undefined) process.exit(0);
  try {
    claim?.announce({ address: server.baseUrl, policy: policyName(privacyPolicy) });
    const first = await firstRun(config, server);
    const privacy = policySummary(privacyPolicy, privacyPolicyFile);
    const facts = {
      ...first,
      baseUrl: server.baseUrl,
      startedInMs: performance.now(),
      now: Date.now(),
      messageId: `msg_${ulid()}`,
      privacy,
      policyCommand: `${commandName(terminal.env)} privacy policy`,
    };
    terminal.out(welcomeText({ ...facts, command: (words) => commandAgain(terminal, { engine, flags, words }) }));
    for (const warning of addressWarnings(config)) terminal.err(`${warning}\n`);
    await stop.requested;
  } finally {
    const overdue = setTimeout(() => {
      terminal.err("Shutting down took too long, so the process ends now. Acknowledged writes are stored.\n");
      process.exit(1);
    }, stopWithinMs);
    await server.close();
    clearTimeout(overdue);
  }
}

/** What a first start makes: a key without a browser, else the token by which the owner makes an account; neither on later starts. */
type FirstRun = Pick<WelcomeFacts, "firstKey" | "setupToken" | "headless">;

async function firstRun({ headless }: Config, { access, invites }: RunningServer): Promise<FirstRun> {
  if (headless) return { headless, firstKey: await access.createFirstKey(), setupToken: null };
  return { headless, firstKey: null, setupToken: await invites.createSetupToken() };
}

/** A command to type on the same data: flags are repeated, without passwords; variables are taken to be still set. */
function commandAgain({ env }: Terminal, { engine, flags, words }: { engine: Engine; flags: ConfigFlags; words: string }): string {
  const places = (["dataDir", "databaseUrl"] as const).flatMap((flag) => {
    const value = flags[flag];
    if (value === undefined) return [];
    const hasPassword = flag === "databaseUrl" && engine.file === undefined;
    return [flagName(flag), hasPassword ? '"$DATABASE_URL"' : shellWord(value)];
  });
  return [commandName(env), words, ...places].join(" ");
}

/** What the greeting of a started server depends on. */
export interface WelcomeFacts {
  /** Base address with the version prefix, such as `http://127.0.0.1:3000/api/v1`. */
  baseUrl: string;
  /** Whether nobody uses a browser. */
  headless: boolean;
  /** The key that this start created; null on every later one. */
  firstKey: FirstKey | null;
  /** By which the owner makes an account; null once there is one, and where nobody uses a browser. */
  setupToken: string | null;
  /** Milliseconds from the start of the process to listening. */
  startedInMs: number;
  /** The server's clock, in milliseconds since the epoch. */
  now: number;
  /** A message id that was never used. */
  messageId: string;
  /** The operator's privacy policy, in a few words. */
  privacy: string;
  /** What shows that policy: no flags, since it comes from the environment alone. */
  policyCommand: string;
  /** A command to type, with the flags that name this data. */
  command: (words: string) => string;
}

/** What `periscope serve` prints once it listens. Each curl command is one line, for any POSIX shell. */
export function welcomeText(facts: WelcomeFacts): string {
  const { baseUrl, headless, firstKey, setupToken, startedInMs, privacy, policyCommand, command } = facts;
  const lines = [
    `Periscope is listening at ${baseUrl} (started in ${Math.round(startedInMs)} ms).`,
    `API reference: ${baseUrl}/docs`,
    `Privacy policy: ${privacy}. To see it: ${policyCommand}`,
    "",
  ];
  const portal = baseUrl.slice(0, -apiPrefix.length);
  if (setupToken !== null) {
    lines.push("Open this address to make your account. It works once, for 24 hours:", "", `  ${portal}/setup#${setupToken}`);
  } else if (firstKey === null) {
    if (!headless) lines.push(`Portal: ${portal}`, "");
    lines.push("To create an API key (the first command lists the users):", "");
    lines.push(command("users list"), command("keys create --user USER --scopes read,write,delete"));
  } else {
    const { userId, key } = firstKey;
    lines.push(
      `This is the first start. It created user ${userId} with this API key. Save it now, it is not shown again.`,
      "",
      `  ${key}`,
      "",
    );
    lines.push("Sync a page:", "", syncCommand(facts, key), "");
    lines.push(
      "Find it:",
      "",
      `curl -sS ${shellWord(`${baseUrl}/context/search?query=lighthouse`)} ${header(`Authorization: Bearer ${key}`)}`,
    );
  }
  return `${lines.join("\n")}\n`;
}

const header = (text: string): string => `-H ${shellWord(text)}`;

function syncCommand({ baseUrl, now, messageId }: WelcomeFacts, key: string): string {
  const timestamp = new Date(now).toISOString();
  const message = {
    id: messageId,
    type: "create",
    timestamp,
    payload: {
      type: "context",
      operation: "create",
      context: {
        type: "page",
        tabId: "1",
        capturedAt: timestamp,
        content: "A lighthouse lens bends the light of a small lamp into a beam that is seen for miles.",
        tabMetadata: { id: "1", url: "https://example.com/lighthouses", title: "How lighthouses work" },
      },
    },
  };
  const headers = `${header(`Authorization: Bearer ${key}`)} ${header("Content-Type: application/json")}`;
  return `curl -sS ${shellWord(`${baseUrl}/context/sync`)} ${headers} -d ${shellWord(JSON.stringify(message))}`;
}
