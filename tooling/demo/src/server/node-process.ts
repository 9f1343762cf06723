import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";

const startMsMax = 120_000;
const stopMsMax = 12_000;
const outputCharsMax = 4_000;

/** What a program says once it serves. */
const announcement = /\blistening at (https?:\/\/[^\s()]+)/;

/** A Node program that serves HTTP and prints `listening at ADDRESS` when it does. */
export interface NodeProgram {
  /** How messages name it. */
  name: string;
  /** Arguments of `node`: flags, the script and its own arguments. */
  args: readonly string[];
  /** The whole environment: nothing of the caller's own settings reaches the program. */
  environment?: NodeJS.ProcessEnv;
  signal?: AbortSignal | undefined;
  /** Told of all that it prints. */
  onOutput?: ((text: string) => void) | undefined;
}

/** A program that serves; disposing stops it and waits until it has ended. */
export interface RunningProgram extends AsyncDisposable {
  pid: number;
  /** As the program printed it. */
  address: string;
  stop(): Promise<void>;
}

/**
 * Starts a program and waits until it serves.
 * @throws Error with the program's last output when it ends before that, or takes longer than 30 s; the abort reason when aborted
 */
export async function startProgram({ name, args, environment = {}, signal, onOutput }: NodeProgram): Promise<RunningProgram> {
  signal?.throwIfAborted();
  const child = spawn(process.execPath, args, { env: environment, stdio: ["ignore", "pipe", "pipe"] });
  const ended = once(child, "close");
  // Rejects when the program could not be started at all, which the wait below reports.
  ended.catch(() => undefined);
  if (onOutput !== undefined) for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => onOutput(String(chunk)));
  const stop = () => stopChild(child, ended);
  try {
    const address = await announcedBy(child, name, signal);
    return { pid: child.pid ?? 0, address, stop, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The address that the program prints. Its output is read on to its end, or it would stand still when the pipe is full. */
function announcedBy(child: ChildProcess, name: string, signal: AbortSignal | undefined): Promise<string> {
  const limit = AbortSignal.timeout(startMsMax);
  let output = "";
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => reject(new Error(`${name} ${reason} Its last output:\n${output.trim()}`));
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (chunk: string) => {
        output = (output + chunk).slice(-outputCharsMax);
        const address = announcement.exec(output)?.[1];
        if (address !== undefined) resolve(address);
      });
    }
    child.once("error", (error) => fail(`could not be started: ${error.message}.`));
    child.once("close", () => fail("ended before it served."));
    limit.addEventListener("abort", () => fail(`did not serve within ${startMsMax / 1_000} s.`));
    signal?.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
}

async function stopChild(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  const killer = setTimeout(() => child.kill("SIGKILL"), stopMsMax);
  try {
    await ended;
  } finally {
    clearTimeout(killer);
  }
}
