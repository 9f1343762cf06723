import { readFileSync } from "node:fs";

/** Memory of a process, in MiB. */
export interface ProcessMemory {
  resident: number;
  peak: number;
}

/** Resident memory of a process, now and at its highest; undefined where there is no `/proc`. */
export function processMemory(pid: number): ProcessMemory | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return { resident: mebibytes(status, "VmRSS"), peak: mebibytes(status, "VmHWM") };
  } catch {
    return undefined;
  }
}

function mebibytes(status: string, field: string): number {
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(status)?.[1]) / 1_024;
}
