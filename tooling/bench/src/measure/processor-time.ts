import { readdirSync, readFileSync } from "node:fs";

/** Ticks a second of the times in `/proc`, on every Linux that there is. */
const ticksPerSecond = 100;

/** Seconds of processor time of a process with its children, those that have ended included; undefined where there is no `/proc`. */
export function processorSeconds(pid: number): number | undefined {
  const own = timesOf(String(pid));
  if (own === undefined) return undefined;
  const others = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const children = others.map(timesOf).filter((times) => times?.parent === pid);
  return (own.ticks + children.reduce((sum, times) => sum + (times?.ticks ?? 0), 0)) / ticksPerSecond;
}

function timesOf(pid: string): { parent: number; ticks: number } | undefined {
  try {
    // The name may hold blanks and brackets; the fields begin behind its last bracket.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ")
      .map(Number);
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15);
    return { parent: fields[1] ?? 0, ticks: user + system + endedUser + endedSystem };
  } catch {
    return undefined;
  }
}
