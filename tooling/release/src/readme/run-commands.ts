import { stripVTControlCharacters } from "node:util";
import type { CommandResult } from "../run-command.ts";
import { openShell, type ShellOptions } from "./shell-session.ts";
import { type StartedServer, startServer } from "./started-server.ts";

/** What became of a command. */
export interface Outcome {
  name: string;
  /** What went wrong; absent when it ended well. */
  problem?: string;
  seconds: number;
}

const nameCharsMax = 120;
const startsServer = /^npx pnpm@\d+ start\b/;

/**
 * Runs commands in one shell. A command that starts the server is left running, as in a terminal of its own: what it prints as
 * curl commands is run too, its key is `PERISCOPE_API_KEY` to all that follow, and at the end it must stop well.
 */
export async function* runCommands(commands: readonly string[], options: ShellOptions): AsyncGenerator<Outcome> {
  await using shell = openShell(options);
  const inShell = async (command: string) => {
    const { status, output } = await shell.run(command);
    return status === 0 ? undefined : `${gist(output)}\n(exit status ${status})`;
  };
  let server: StartedServer | undefined;
  try {
    for (const command of commands) {
      if (!startsServer.test(command)) {
        yield await timed(command, () => inShell(command));
        continue;
      }
      yield await timed(command, async () => {
        server = await startServer(command, options);
        return await inShell(`export PERISCOPE_API_KEY=${server.key ?? ""}`);
      });
      for (const curl of server?.curls ?? []) yield await timed(curl, () => inShell(curl));
    }
    const last = server;
    if (last !== undefined) yield await timed("the server stops", async () => ended(await last.stop()));
  } finally {
    await server?.[Symbol.asyncDispose]();
  }
}

async function timed(command: string, run: () => Promise<string | undefined>): Promise<Outcome> {
  const startedAt = performance.now();
  const problem = await run().catch((error: unknown) => String(error));
  const seconds = (performance.now() - startedAt) / 1_000;
  return { name: nameOf(command), seconds, ...(problem === undefined ? {} : { problem: withoutKeys(problem) }) };
}

/** Ctrl-C ends a package manager with the status of the signal, the server itself with none. */
function ended({ status, output }: CommandResult): string | undefined {
  return status === 0 || status === 130 ? undefined : `${output}\n(exit status ${status})`;
}

const failureLinesMax = 40;
const lastLinesMax = 60;

/** What of a failed command's output tells why: the lines that name a failure, then the end, where it is too long to be read whole. */
function gist(output: string): string {
  const lines = stripVTControlCharacters(output).trimEnd().split("\n");
  if (lines.length <= failureLinesMax + lastLinesMax) return lines.join("\n");
  const failures = lines.filter((line) => /\bFAIL\b|Error: /.test(line)).slice(0, failureLinesMax);
  return [...failures, "…", ...lines.slice(-lastLinesMax)].join("\n");
}

/** A command as a name in a report: one line without keys, cut where it gets long. */
function nameOf(command: string): string {
  const line = withoutKeys(command).replaceAll(/\s*\\?\n\s*/g, " ");
  return line.length <= nameCharsMax ? line : `${line.slice(0, nameCharsMax)}…`;
}

function withoutKeys(text: string): string {
  return text.replaceAll(/\bpsk_\w{8,}/g, "psk_…");
}
