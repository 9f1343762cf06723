import { execFile } from "node:child_process";

/** How a program ended. */
export interface ProgramResult {
  code: number;
  out: string;
  err: string;
}

/** Where and how a program runs. */
export interface ProgramOptions {
  cwd: string;
  /** Beside PATH and HOME. */
  env?: NodeJS.ProcessEnv;
  /** When it is ended, if it has not by itself. */
  timeoutMs?: number;
}

/** Runs a program to its end. */
export function runProgram(command: readonly string[], { cwd, env, timeoutMs = 100_000 }: ProgramOptions): Promise<ProgramResult> {
  const [name = "", ...args] = command;
  return new Promise((resolve) => {
    const child = execFile(
      name,
      args,
      { cwd, env: { PATH: process.env["PATH"], HOME: process.env["HOME"], ...env }, timeout: timeoutMs },
      (error, out, err) => {
        resolve({ code: error === null ? 0 : Number(error.code ?? 1), out, err });
      },
    );
    // Deno and Bun stay for as long as there may be input.
    child.stdin?.end();
  });
}
