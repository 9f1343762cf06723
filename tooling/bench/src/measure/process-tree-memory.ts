import { readdirSync, readFileSync } from "node:fs";

/**
 * Resident memory of a process and its children in MiB, pages that several share counted once; undefined where the system does not tell.
 */
export function processTreeMemory(pid: number): number | undefined {
  try {
    const children = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && parentOf(name) === pid);
    const kibibytes = [String(pid), ...children].map(proportionalShare);
    return kibibytes.reduce((sum, size) => sum + size, 0) / 1_024;
  } catch {
    return undefined;
  }
}

function parentOf(pid: string): number {
  try {
    // The name may hold blanks and brackets; the fields begin behind its last bracket.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\) /s, "");
    return Number(fields.split(" ")[1]);
  } catch {
    return NaN;
  }
}

/** Its own pages, and of shared ones its part. A process that has ended has none. */
function proportionalShare(pid: string): number {
  try {
    return Number(/^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
