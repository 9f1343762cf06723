import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";

const startMsMax = 30_000;
const stopMsMax = 12_000;
const pollMs = 25;
const outputCharsMax = 4_000;

/** A Node program that serves HTTP on the loopback interface. */
export interface NodeProgram {
  /** How messages name it. */
  name: string;
  /** Arguments of `node`: flags, the script and its own arguments. */
  args: readonly string[];
  /** The whole environment: nothing of the caller's own settings reaches the program. */
  environment?: NodeJS.ProcessEnv;
  /** Address that answers 2xx once the program serves. */
  readyUrl: string;
  signal?: AbortSignal | undefined;
}

/** A program that answers; disposing stops it and waits until it has ended. */
export interface RunningProgram extends AsyncDisposable {
  pid: number;
  stop(): Promise<void>;
}

/**
 * Starts a program and waits until it serves.
 * @throws Error with the program's last output when it ends before that, or takes longer than 30 s; the abort reason when aborted
 */
export async function startProgram({ name, args, environment = {}, readyUrl, signal }: NodeProgram): Promise<RunningProgram> {
  signal?.throwIfAborted();
  const child = spawn(process.execPath, args, {
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = lastOutput(child);
  const ended = once(child, "close");
  // Rejects when the program could not be started at all, which the wait below reports.
  ended.catch(() => undefined);
  const stop = () => stopChild(child, ended);
  try {
    await untilReady(child, { name, readyUrl, output, signal });
  } catch (error) {
    await stop();
    throw error;
  }
  return { pid: child.pid ?? 0, stop, [Symbol.asyncDispose]: stop };
}

async function untilReady(
  child: ChildProcess,
  { name, readyUrl, output, signal }: { name: string; readyUrl: string; output: () => string; signal: AbortSignal | undefined },
): Promise<void> {
  const deadline = performance.now() + startMsMax;
  while (performance.now() < deadline) {
    signal?.throwIfAborted();
    if (hasEnded(child)) throw new Error(`${name} ended before it served. Its last output:\n${output()}`);
    if (await answers(readyUrl)) return;
    await delay(pollMs);
  }
  throw new Error(`${name} did not serve within ${startMsMax / 1_000} s. Its last output:\n${output()}`);
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(1_000) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

async function stopChild(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  if (hasEnded(child)) return;
  child.kill("SIGTERM");
  const killer = setTimeout(() => child.kill("SIGKILL"), stopMsMax);
  try {
    await ended;
  } finally {
    clearTimeout(killer);
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
}

function lastOutput(child: ChildProcess): () => string {
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (chunk: string) => {
      text = (text + chunk).slice(-outputCharsMax);
    });
  }
  child.on("error", (error) => {
    text += error.message;
  });
  return () => text.trim();
}
