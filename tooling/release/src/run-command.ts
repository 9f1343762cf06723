import { killGroup, spawnGroup } from "./process-group.ts";

/** How a command ended, with everything it wrote. */
export interface CommandResult {
  /** Exit status; 124 when it took longer than allowed, 127 when it could not be started. */
  status: number;
  /** Standard output and standard error in the order they came. */
  output: string;
}

/** Where a command runs and for how long. */
export interface CommandOptions {
  cwd: string;
  environment?: NodeJS.ProcessEnv;
  timeoutMs?: number;
}

const timeoutMsDefault = 600_000;

/** Runs a command to its end, with nothing on its standard input. Never rejects: what went wrong is in the status and the output. */
export function runCommand([name = "", ...args]: readonly string[], options: CommandOptions): Promise<CommandResult> {
  const { promise, resolve } = Promise.withResolvers<CommandResult>();
  let output = "";
  let timedOut = false;
  const child = spawnGroup(name, args, {
    cwd: options.cwd,
    env: options.environment ?? process.env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
    });
  }
  const timer = setTimeout(() => {
    timedOut = true;
    killGroup(child.pid);
  }, options.timeoutMs ?? timeoutMsDefault);
  child.once("error", (error) => {
    clearTimeout(timer);
    resolve({ status: 127, output: `${output}${error.message}\n` });
  });
  child.once("close", (code) => {
    clearTimeout(timer);
    if (timedOut) resolve({ status: 124, output: `${output}\nStopped: it took too long.\n` });
    else resolve({ status: code ?? 1, output });
  });
  return promise;
}
