import { execFile, spawn } from "node:child_process";
import { once } from "node:events";

/** Guards against a hang, and no more: the start command may have to build first. */
const startMsMax = 300_000;
const stopMsMax = 60_000;

/** What a program prints when it accepts requests. What it prints at once with it is there as well. */
const announcement = /\blistening at (https?:\/\/[^\s()]+)[^]*\n$/;

/** A program that serves HTTP and prints `listening at ADDRESS` when it is ready. */
export interface Program {
  command: readonly string[];
  /** Its whole environment. Nothing is inherited. */
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  /** Whether it has a process group, as in a terminal of its own: what stops it goes to all that it has started, too. */
  detached?: boolean;
  signal?: AbortSignal | undefined;
}

/** A program that serves. Disposing stops it and waits for its end. */
export interface RunningProgram extends AsyncDisposable {
  pid: number;
  /** The address that it printed. */
  address: string;
  /** Everything that it has printed. */
  output(): string;
  /** Its exit code, or the signal that ended it. What it has started may still run. */
  exited: Promise<number | NodeJS.Signals>;
  /**
   * Sends a signal, SIGTERM by default, and waits for the end, also of what it has started and what prints to the same output. Resolves to
   * the exit code, or to the signal that ended it.
   */
  stop(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals>;
}

/**
 * Starts a program and waits until it serves.
 * @throws Error with its output when it ends or five minutes pass before that; the abort reason when aborted
 */
export async function startProgram({ command, env = {}, cwd, detached = false, signal }: Program): Promise<RunningProgram> {
  signal?.throwIfAborted();
  const [name = "", ...args] = command;
  const child = spawn(name, args, { env, cwd, detached, stdio: ["ignore", "pipe", "pipe"] });
  const exited = new Promise<number | NodeJS.Signals>((resolve) =>
    child.once("exit", (code: number | null, endedBy: NodeJS.Signals) => resolve(code ?? endedBy)),
  );
  let isOver = false;
  child.once("close", () => (isOver = true));
  const ended = once(child, "close");
  let output = "";
  const announced = new Promise<string>((resolve, reject) => {
    const fail = (reason: string) => reject(new Error(`${command.join(" ")} ${reason} Its output:\n${output.trim()}`));
    let isAnnounced = false;
    // Read until the end of the program: a full pipe would stop it.
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (chunk: string) => {
        output += chunk;
        const address = isAnnounced ? undefined : announcement.exec(output)?.[1];
        if (address === undefined) return;
        isAnnounced = true;
        resolve(address);
      });
    ended.then(
      () => fail("ended before it served."),
      (error: Error) => fail(`could not be started: ${error.message}.`),
    );
    AbortSignal.timeout(startMsMax).addEventListener("abort", () => fail(`did not serve within ${startMsMax / 1_000} s.`));
    signal?.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
  const kill = (how: NodeJS.Signals) => {
    if (isOver || child.pid === undefined) return;
    if (!detached) return void child.kill(how);
    try {
      // The others of the group may run on when the program itself has ended.
      process.kill(-child.pid, how);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  };
  const stop = async (how: NodeJS.Signals = "SIGTERM") => {
    kill(how);
    const killer = setTimeout(() => {
      kill("SIGKILL");
      // Whoever holds the output by now is out of reach.
      child.stdout.destroy();
      child.stderr.destroy();
    }, stopMsMax);
    await ended.finally(() => clearTimeout(killer));
    return await exited;
  };
  try {
    const address = await announced;
    return { pid: child.pid ?? 0, address, output: () => output, exited, stop, [Symbol.asyncDispose]: async () => void (await stop()) };
  } catch (error) {
    if (child.pid !== undefined) await stop();
    throw error;
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
  signal?: AbortSignal;
}

/** Runs a program to its end, without input. Never rejects: what could not be started ends with 1 and says why. */
export function runProgram(
  [name = "", ...args]: readonly string[],
  { cwd, env, timeoutMs = 0, signal }: ProgramOptions,
): Promise<ProgramResult> {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  const options = { cwd, env: { PATH, HOME, NODE_COMPILE_CACHE, ...env }, timeout: timeoutMs, signal, maxBuffer: Infinity };
  return new Promise((resolve) => {
    const child = execFile(name, args, options, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code) || 1, out, err: err || (out === "" ? (error?.message ?? "") : "") }),
    );
    // Deno and Bun stay for as long as there may be input.
    child.stdin?.end();
  });
}
