import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { startServer } from "@periscope/harness/server";
import { selfTimes, type CpuProfile } from "../profile/cpu-profile.ts";
import { profileTables } from "../profile/report.ts";
import { resultsFolder } from "../results.ts";
import type { Frequency } from "./query-words.ts";
import { serverWork, type ScenarioName } from "./scenarios.ts";
import type { Workbench } from "./workbench.ts";

const secondsMin = 5;

/** What is profiled, and where the filled database is. */
export interface ProfileInput {
  name: ScenarioName;
  seconds: number;
  bench: Workbench;
  words: Readonly<Record<Frequency, readonly string[]>>;
  dataDir: string;
  signal: AbortSignal;
  print: (text: string) => void;
}

/**
 * Runs one scenario against a server that profiles itself, and shows where its CPU time went.
 * A profile per thread is kept in the results folder.
 */
export async function profileScenario({ name, seconds, bench, words, dataDir, signal, print }: ProfileInput): Promise<void> {
  const folder = join(resultsFolder, `profile-${name}-${new Date().toISOString().replaceAll(/[:.]/g, "-")}`);
  mkdirSync(folder, { recursive: true });
  const nodeFlags = ["--cpu-prof", `--cpu-prof-dir=${folder}`, "--cpu-prof-interval=500"];
  await using server = await startServer({ dataDir, nodeFlags, signal });
  const length = Math.max(seconds, secondsMin);
  print(`Profiling the server for ${length} s under ${name}.`);
  const from = monotonicMicroseconds();
  const { perSecond, p50, p99 } = await serverWork(bench, server, words)[name](length);
  const to = monotonicMicroseconds();
  await server.stop();
  print(`${Math.round(perSecond)} a second while profiled; p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms.\n`);
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith(".cpuprofile")) : [];
  if (files.length === 0) throw new Error("The server left no profile: it did not end by itself.");
  for (const file of files.sort()) {
    const profile = JSON.parse(readFileSync(join(folder, file), "utf8")) as CpuProfile;
    const times = selfTimes(profile, { from, to });
    // A thread that had nothing to do in the scenario says nothing.
    if (times.length > 0) print(`${profileTables(file, times)}\n`);
  }
  print(`Profiles are in ${folder}; the developer tools of a browser open them.`);
}

/** The clock of profiles, which all processes share. */
function monotonicMicroseconds(): number {
  return Number(process.hrtime.bigint() / 1_000n);
}
