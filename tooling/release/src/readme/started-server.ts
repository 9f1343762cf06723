import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { killGroup, spawnGroup } from "../process-group.ts";
import type { CommandResult } from "../run-command.ts";

/** A server that a start command left running. */
export interface StartedServer extends AsyncDisposable {
  /** The API key that it printed; absent when this was not its first start. */
  key: string | undefined;
  /** Where it listens, with the version prefix. */
  address: string;
  /** The curl commands that it printed, ready to be run. */
  curls: readonly string[];
  /** Asks it to stop, as Ctrl-C would, and waits until all it started has ended; the status is that of the start command. */
  stop(): Promise<CommandResult>;
}

/** How and where the start command runs. */
export interface StartOptions {
  cwd: string;
  environment: NodeJS.ProcessEnv;
  timeoutMs: number;
}

const pollMs = 50;
const stopMsMax = 15_000;

/** Runs a start command until it says that it listens. Rejects with its output when it ends before, or takes too long. */
export async function startServer(command: string, { cwd, environment, timeoutMs }: StartOptions): Promise<StartedServer> {
  const child = spawnGroup("bash", ["-c", `exec ${command}`], { cwd, env: environment, stdio: ["ignore", "pipe", "pipe"] });
  const ended = once(child, "close");
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
    });
  }
  const stop = async () => {
    const killer = setTimeout(() => killGroup(child.pid), stopMsMax);
    // As Ctrl-C in a terminal: the whole group is told.
    killGroup(child.pid, "SIGINT");
    await ended;
    clearTimeout(killer);
    killGroup(child.pid);
    return { status: child.exitCode ?? (child.signalCode === "SIGINT" ? 130 : 1), output };
  };

  const deadline = performance.now() + timeoutMs;
  while (!isGreeting(output)) {
    if (child.exitCode !== null || performance.now() > deadline) {
      await stop();
      throw new Error(`It did not start:\n${output}`);
    }
    await delay(pollMs);
  }
  return {
    address: /listening at (http\S+)/.exec(output)?.[1] ?? "",
    key: /\bpsk_\w+/.exec(output)?.[0],
    curls: output.split("\n").filter((line) => line.startsWith("curl ")),
    stop,
    [Symbol.asyncDispose]: async () => void (await stop()),
  };
}

/** Whether the welcome text is there whole: the line that says where it listens, and the prompt's last line ended. */
function isGreeting(output: string): boolean {
  return /listening at http/.test(output) && output.endsWith("\n");
}
