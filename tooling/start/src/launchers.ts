import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

interface ProcessInfo {
  parent: number;
  command: string;
}

/** Further ancestors than this are not the package manager's. */
const generationsMax = 6;
const packageManager = /^(?:\S*\/)?(?:npm|npx|pnpm|pnpx)\b/;

/** Ids of the processes from this one's parent up to the package manager that the user started, such as pnpm, sh and npx. */
export function findLaunchers(): number[] {
  const ancestors: number[] = [];
  let count = 0;
  for (let pid = process.ppid; pid > 1 && ancestors.length < generationsMax;) {
    const info = processInfo(pid);
    if (info === undefined) break;
    ancestors.push(pid);
    if (packageManager.test(info.command)) count = ancestors.length;
    pid = info.parent;
  }
  return ancestors.slice(0, count);
}

/** Whether there is a process with this id. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // A process of another user may not be signalled.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function processInfo(pid: number): ProcessInfo | undefined {
  return process.platform === "linux" ? fromProc(pid) : fromPs(pid);
}

// Small containers have no `ps`.
function fromProc(pid: number): ProcessInfo | undefined {
  try {
    const [, parent] = /^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return { parent: Number(parent), command: readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ") };
  } catch {
    return undefined;
  }
}

function fromPs(pid: number): ProcessInfo | undefined {
  const { stdout } = spawnSync("ps", ["-o", "ppid=,command=", "-p", String(pid)], { encoding: "utf8" });
  const [, parent, command] = /^\s*(\d+)\s+(.*)/.exec(stdout ?? "") ?? [];
  return command === undefined ? undefined : { parent: Number(parent), command };
}
