import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import type { ProgramOptions } from "@periscope/harness/program";

const startMsMax = 300_000;

/** A server that a start command left running, as in a terminal of its own. */
export interface StartedServer extends AsyncDisposable {
  /** Everything that it wrote until it listened. */
  output: string;
  /** The API key that it printed at its first start. */
  key: string | undefined;
  /** Stops it as Ctrl-C does. Returns its exit status and everything that it wrote. */
  stop(): Promise<{ status: number; output: string }>;
}

/** Runs a start command until it says that it listens. @throws Error with its output when it ends before, or takes too long */
export async function startServer(command: string, { cwd, env }: ProgramOptions): Promise<StartedServer> {
  const child = spawn("bash", ["-c", `exec ${command}`], { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  const ended = once(child, "close");
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid ?? 0), "SIGINT");
    await ended;
    return { status: child.exitCode ?? (child.signalCode === "SIGINT" ? 130 : 1), output };
  };
  const deadline = performance.now() + startMsMax;
  while (!(output.includes("listening at http") && output.endsWith("\n"))) {
    if (child.exitCode !== null || performance.now() > deadline) {
      await stop();
      throw new Error(`The server did not start:\n${output}`);
    }
    await delay(50);
  }
  return { output, key: /\bpsk_\w+/.exec(output)?.[0], stop, [Symbol.asyncDispose]: async () => void (await stop()) };
}
