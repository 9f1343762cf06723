import { execFile } from "node:child_process";

/** How a program ended. */
export interface ProgramResult {
  code: number;
  out: string;
  err: string;
}

/** Runs a program to its end. */
export function runProgram(command: readonly string[], { cwd, env }: { cwd: string; env?: NodeJS.ProcessEnv }): Promise<ProgramResult> {
  const [name = "", ...args] = command;
  return new Promise((resolve) => {
    execFile(
      name,
      args,
      { cwd, env: { PATH: process.env["PATH"], HOME: process.env["HOME"], ...env }, timeout: 100_000 },
      (error, out, err) => {
        resolve({ code: error === null ? 0 : Number(error.code ?? 1), out, err });
      },
    );
  });
}
