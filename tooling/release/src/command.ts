import { execFile } from "node:child_process";

/** Where a command runs. */
export interface CommandOptions {
  cwd: string;
  environment?: NodeJS.ProcessEnv;
}

/** Runs a command to its end, without input. Returns its exit status and everything that it wrote. Never rejects. */
export function runCommand(
  [name = "", ...args]: readonly string[],
  { cwd, environment = process.env }: CommandOptions,
): Promise<{ status: number; output: string }> {
  return new Promise((resolve) => {
    const child = execFile(name, args, { cwd, env: environment, maxBuffer: Infinity }, (error, out, err) =>
      resolve({ status: error === null ? 0 : Number(error.code) || 1, output: `${out}${err}` || (error?.message ?? "") }),
    );
    child.stdin?.end();
  });
}
