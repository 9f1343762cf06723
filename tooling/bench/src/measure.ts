import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, release, totalmem, type } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

/** Where results are kept. Not under version control. */
export const resultsFolder = fileURLToPath(new URL("../results/", import.meta.url));

/** What the options of a benchmark are, with their defaults, and their explanation. */
interface Options<T extends Record<string, string>> {
  args: string[];
  defaults: T;
  usage: string;
  positionals?: number;
}

/** Reads options of the form `--name value`. @throws Error with the usage when one is unknown */
export function readOptions<T extends Record<string, string>>({ args, defaults, usage, positionals = 0 }: Options<T>) {
  try {
    const options = Object.fromEntries(Object.keys(defaults).map((name) => [name, { type: "string" } as const]));
    const read = parseArgs({ args, options, allowPositionals: positionals > 0 });
    if (read.positionals.length !== positionals) throw new Error(`Give ${positionals} names.`);
    return { values: { ...defaults, ...(read.values as Partial<T>) }, positionals: read.positionals };
  } catch (error) {
    throw new Error(`${(error as Error).message}\n\n${usage}`, { cause: error });
  }
}

/** Reads an option that is a number. @throws Error when it is none, or below `least` */
export function numberFrom(values: Readonly<Record<string, string>>, name: string, least: number): number {
  const value = Number(values[name]);
  if (value >= least) return value;
  throw new Error(`--${name} takes a number of at least ${least}, not ${values[name]}.`);
}

/** The middle of the values; of an even number of values, the mean of the two middle ones. NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(at)] ?? NaN) + (sorted[Math.ceil(at)] ?? NaN)) / 2;
}

/** The smallest value that at least this share of the values does not exceed. NaN of none. */
export function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(share * values.length) - 1)] ?? NaN;
}

/** Numbers from 0 to 1 that look random and are the same for the same seed: Mulberry32, by Tommy Ettinger (public domain). */
export function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Seconds of processor time of a process and its children. NaN where there is no `/proc`. */
export function processorSeconds(pid: number): number {
  const ticksPerSecond = 100;
  return familyOf(pid).reduce((sum, { ticks }) => sum + ticks, 0) / ticksPerSecond;
}

/** Resident memory of a process and its children in MiB; of pages that several share, each has its part. NaN where there is no `/proc`. */
export function memoryMiB(pid: number): number {
  return familyOf(pid).reduce((sum, { id }) => sum + (kilobytesOf(id) ?? 0), 0) / 1_024;
}

function kilobytesOf(id: string): number | undefined {
  try {
    return Number(/^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${id}/smaps_rollup`, "utf8"))?.[1]);
  } catch {
    return undefined;
  }
}

function familyOf(pid: number): { id: string; ticks: number }[] {
  if (!existsSync("/proc/self/stat")) return [{ id: "", ticks: NaN }];
  return readdirSync("/proc").flatMap((id) => {
    try {
      // The name of a program may hold spaces and brackets. The fields follow its last bracket.
      const fields = readFileSync(`/proc/${id}/stat`, "utf8")
        .replace(/^.*\) /s, "")
        .split(" ")
        .map(Number);
      const ticks = fields.slice(11, 15).reduce((sum, each) => sum + each, 0);
      return id === String(pid) || fields[1] === pid ? [{ id, ticks }] : [];
    } catch {
      // It is no process, or has ended.
      return [];
    }
  });
}

/** Writes a run as JSON with the machine it ran on, and says where. */
export function writeResults(name: string, results: object, file?: string): void {
  const at = new Date().toISOString();
  const path = file ?? join(resultsFolder, `${name}-${at.replaceAll(/[:.]/g, "-")}.json`);
  const [cpu] = cpus();
  const machine = {
    cpu: cpu?.model ?? "unknown",
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
    node: process.version,
  };
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, `${JSON.stringify({ at, machine, ...results }, undefined, 2)}\n`);
  console.log(`Written to ${path}`);
}
