import type { McpRequestContext } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { type Logger, Periscope, PeriscopeError } from "@periscope/client";
import { createClientSource, mayDelete } from "./client-source.js";
import type { SourceError } from "./context-source.js";
import { createMcpServer } from "./create-server.js";

const usage = `periscope-mcp: the MCP server of Periscope, over standard input and output. An MCP host starts it.

Environment:
  PERISCOPE_BASE_URL  address of the service, such as http://127.0.0.1:3000/api/v1
  PERISCOPE_API_KEY   an API key; with the scope read, and delete for the tool that deletes
  PERISCOPE_LOG       off, error, warn (default), info or debug; log lines go to standard error

The README of @periscope/mcp has configurations of hosts.
`;

interface Surroundings {
  env: Readonly<Record<string, string | undefined>>;
  version: string;
}

/** The `periscope-mcp` command: serves until its input ends or it is told to stop. Resolves to the exit status. */
export async function runCommand(words: readonly string[], { env, version }: Surroundings): Promise<number> {
  if (words.includes("--version")) return say(process.stdout, `${version}\n`, 0);
  if (words.includes("--help")) return say(process.stdout, usage, 0);
  if (words.length > 0)
    return say(process.stderr, `There are no arguments but --help and --version; settings are environment variables.\n\n${usage}`, 2);

  const missing = ["PERISCOPE_BASE_URL", "PERISCOPE_API_KEY"].filter((name) => !env[name]?.trim());
  if (missing.length > 0)
    return say(process.stderr, `${missing.join(" and ")} must be set, in the "env" of the host's configuration.\n\n${usage}`, 1);
  // What the client would refuse with each call; a key may end with a line break, as files and variables do.
  if (!/^[!#-[\]-~]+$/.test(env.PERISCOPE_API_KEY?.trim() ?? ""))
    return say(
      process.stderr,
      `PERISCOPE_API_KEY is no API key: it must be visible ASCII without blanks, quotes and backslashes. "periscope keys create" makes one.\n\n${usage}`,
      1,
    );
  let periscope: Periscope;
  try {
    // Hosts give up on a tool after a minute, often sooner, and the model then hears nothing of the reason.
    periscope = new Periscope({ logger: stderrLogger, deadlineMs: 15_000 });
  } catch (error) {
    if (!PeriscopeError.is(error)) throw error;
    return say(process.stderr, `${error.message.replace(/^baseUrl/, "PERISCOPE_BASE_URL")}\n`, 1);
  }
  return await serve(periscope, env.PERISCOPE_BASE_URL?.trim(), version);
}

async function serve(periscope: Periscope, address: string | undefined, version: string): Promise<number> {
  const source = createClientSource(periscope, address);
  // Asked once, while the host starts: a key's scopes do not change.
  const deletes = mayDelete(periscope, address).catch((error: unknown) => {
    stderrLogger.warn(`The first contact with Periscope failed: ${firstContact(error)}`);
    return false;
  });
  const onUnexpected = (error: unknown) => stderrLogger.error(error instanceof Error ? error.name : typeof error);
  const ended = Promise.withResolvers<void>();
  const create = async ({ era }: McpRequestContext) => {
    const updates = era === "modern" ? "at-once" : "on-subscribe";
    return createMcpServer({ source, canDelete: await deletes, version, updates, onUnexpected });
  };
  const handle = serveStdio(create, {
    onerror: (error) => stderrLogger.warn(error.message),
  });
  process.stdin.once("end", ended.resolve).once("close", ended.resolve);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => ended.resolve());
  await ended.promise;
  await handle.close();
  // What is in flight has nobody to answer to.
  process.exit(0);
}

/** What failed at the first contact, and what to do, for the user; then what follows from it. */
function firstContact(error: unknown): string {
  const { message, nextStep } = error as Error & Partial<SourceError>;
  return [
    /[.!?]$/.test(message) ? message : `${message}.`,
    ...(nextStep === undefined ? [] : [nextStep]),
    "Whether the key may delete is not known, so delete_context is not offered.",
  ].join(" ");
}

/** Standard output belongs to the protocol; the console would write some of its lines there. */
const toStderr = (line: string, fields: object = {}) => {
  const facts = Object.keys(fields).length === 0 ? "" : ` ${JSON.stringify(fields)}`;
  process.stderr.write(`${line}${facts}\n`);
};
const stderrLogger = { error: toStderr, warn: toStderr, info: toStderr, debug: toStderr } satisfies Logger;

function say(stream: NodeJS.WriteStream, text: string, status: number): number {
  stream.write(text);
  return status;
}
