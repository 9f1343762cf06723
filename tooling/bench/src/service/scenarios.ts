import type { RunningServer as Periscope } from "@periscope/harness/server";
import type { Sample, Scenario } from "../measure/rounds.ts";
import type { Frequency } from "./query-words.ts";
import { portOf, type Floor, type Workbench } from "./workbench.ts";

/** Names of all scenarios, in the order in which they run: what writes comes last, so that all reads meet the same data. */
export const scenarioNames = ["current", "history", "search-rare", "search-medium", "search-common", "sync", "batch-sync"] as const;
export type ScenarioName = (typeof scenarioNames)[number];

const batchSize = 100;
const readers = 8;
/** Singles that arrive together may share a flush to disk, as those of many extensions do. */
const singleWriters = 16;
const batchWriters = 2;

/** The server's side of each scenario, for as many seconds as asked. */
export type ServerWork = Readonly<Record<ScenarioName, (seconds: number) => Promise<Sample>>>;

/** How the server is loaded. */
export function serverWork(bench: Workbench, server: Periscope, words: Readonly<Record<Frequency, readonly string[]>>): ServerWork {
  const read = (paths: readonly string[]) => (seconds: number) =>
    bench.read({ port: portOf(server), key: server.key, connections: readers, seconds }, paths);
  return {
    current: read(currentPaths),
    history: read(historyPaths),
    "search-rare": read(searchPaths(words.rare)),
    "search-medium": read(searchPaths(words.medium)),
    "search-common": read(searchPaths(words.common)),
    sync: (seconds) => bench.write(server, { connections: singleWriters, seconds }, 1),
    "batch-sync": (seconds) => bench.write(server, { connections: batchWriters, seconds }, batchSize),
  };
}

/** Every scenario with its floor. */
export function scenariosOf(
  work: ServerWork,
  { bench, floor, words }: { bench: Workbench; floor: Floor; words: Readonly<Record<Frequency, readonly string[]>> },
): Scenario[] {
  const read = (paths: readonly string[]) => (seconds: number) =>
    bench.read({ port: portOf(floor), key: "none", connections: readers, seconds }, paths);
  const floors: ServerWork = {
    current: read(currentPaths),
    history: read(historyPaths),
    "search-rare": read(searchPaths(words.rare)),
    "search-medium": read(searchPaths(words.medium)),
    "search-common": read(searchPaths(words.common)),
    sync: (seconds) => floor.insert(seconds, 1),
    "batch-sync": (seconds) => floor.insert(seconds, batchSize),
  };
  return scenarioNames.map((name) => ({
    name,
    unit: name.endsWith("sync") ? "contexts/s" : "requests/s",
    ...(name === "current" || name === "batch-sync" ? { aim: 0.5 } : {}),
    server: work[name],
    floor: floors[name],
  }));
}

const currentPaths = ["/api/v1/context/current"];
const historyPaths = ["/api/v1/context/history"];

function searchPaths(words: readonly string[]): string[] {
  return words.map((word) => `/api/v1/context/search?query=${encodeURIComponent(word)}`);
}
