import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";

const startMsMax = 120_000;
const stopMsMax = 12_000;
const outputCharsMax = 4_000;

/** What a program prints when it accepts requests. */
const announcement = /\blistening at (https?:\/\/[^\s()]+)/;

/** A Node program that serves HTTP and prints `listening at ADDRESS` when it is ready. */
export interface NodeProgram {
  /** Its name in error messages. */
  name: string;
  /** Arguments of `node`: flags, the script and the script's own arguments. */
  args: readonly string[];
  /** Its whole environment. Nothing is inherited. */
  environment?: NodeJS.ProcessEnv;
  signal?: AbortSignal | undefined;
  /** Called with everything that it prints. */
  onOutput?: ((text: string) => void) | undefined;
}

/** A program that serves. Disposing stops it and waits for its end. */
export interface RunningProgram extends AsyncDisposable {
  pid: number;
  /** The address that it printed. */
  address: string;
  stop(): Promise<void>;
}

/**
 * Starts a program and waits until it serves.
 * @throws Error with its last output when it ends or two minutes pass before that; the abort reason when aborted
 */
export async function startProgram({ name, args, environment = {}, signal, onOutput }: NodeProgram): Promise<RunningProgram> {
  signal?.throwIfAborted();
  const child = spawn(process.execPath, args, { env: environment, stdio: ["ignore", "pipe", "pipe"] });
  const ended = once(child, "close");
  // Rejects when the program cannot be started, which `announcedBy` reports.
  ended.catch(() => undefined);
  const stop = () => stopChild(child, ended);
  try {
    const address = await announcedBy(child, { name, signal, onOutput });
    return { pid: child.pid ?? 0, address, stop, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Reads the output until the end of the program: a full pipe would stop it. */
function announcedBy(child: ChildProcess, { name, signal, onOutput }: Pick<NodeProgram, "name" | "signal" | "onOutput">): Promise<string> {
  const limit = AbortSignal.timeout(startMsMax);
  let output = "";
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => reject(new Error(`${name} ${reason} Its last output:\n${output.trim()}`));
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (chunk: string) => {
        onOutput?.(chunk);
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

/** How a program ended. */
export interface ProgramResult {
  code: number;
  out: string;
  err: string;
}

/** Where and how a program runs. */
export interface ProgramOptions {
  cwd: string;
  /** Beside PATH, HOME and where Node keeps what it has compiled. */
  env?: NodeJS.ProcessEnv;
  /** When it is ended, if it has not by itself. */
  timeoutMs?: number;
}

/** Runs a program to its end, without input. Never rejects: what could not be started ends with 1 and says why. */
export function runProgram([name = "", ...args]: readonly string[], { cwd, env, timeoutMs = 0 }: ProgramOptions): Promise<ProgramResult> {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  const options = { cwd, env: { PATH, HOME, NODE_COMPILE_CACHE, ...env }, timeout: timeoutMs, maxBuffer: Infinity };
  return new Promise((resolve) => {
    const child = execFile(name, args, options, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code) || 1, out, err: err || (out === "" ? (error?.message ?? "") : "") }),
    );
    // Deno and Bun stay for as long as there may be input.
    child.stdin?.end();
  });
}
