import { execFileSync } from "node:child_process";

/** The words that a POSIX shell makes of a command, without running it. */
export function shellWords(command: string, env: Record<string, string> = {}): string[] {
  const output = execFileSync("sh", ["-c", `printf '%s\\0' ${command}`], { encoding: "utf8", env });
  return output.split("\0").slice(0, -1);
}
