import { spawn } from "node:child_process";

/** How a command ended, and everything that it wrote. */
export interface CommandResult {
  /** Exit status; 124 when it was stopped because it took too long. */
  status: number;
  output: string;
}

/** Where a command runs and for how long. */
export interface CommandOptions {
  cwd: string;
  environment?: NodeJS.ProcessEnv;
  timeoutMs?: number;
}

/** Runs a command to its end, without input. Everything that it has started ends with it. Never rejects. */
export function runCommand([name = "", ...args]: readonly string[], options: CommandOptions): Promise<CommandResult> {
  const { promise, resolve } = Promise.withResolvers<CommandResult>();
  const { cwd, environment = process.env, timeoutMs = 900_000 } = options;
  const child = spawn(name, args, { cwd, env: environment, stdio: ["ignore", "pipe", "pipe"], detached: true });
  let output = "";
  let isLate = false;
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  const timer = setTimeout(() => {
    isLate = true;
    killGroup(child.pid);
  }, timeoutMs);
  // A signal that ends this process must not leave the command behind.
  const stop = () => {
    killGroup(child.pid);
    process.exit(143);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, stop);
  const end = (result: CommandResult) => {
    clearTimeout(timer);
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, stop);
    resolve(result);
  };
  child.once("error", (error) => end({ status: 127, output: error.message }));
  child.once("close", (code) =>
    end({ status: isLate ? 124 : (code ?? 1), output: isLate ? `${output}\nStopped: it took too long.` : output }),
  );
  return promise;
}

/** Sends a signal to a process and everything in its group. */
export function killGroup(pid: number | undefined, signal: NodeJS.Signals = "SIGKILL"): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // It has ended.
  }
}
