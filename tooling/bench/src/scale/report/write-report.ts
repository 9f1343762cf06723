import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { EngineResult, ScaleResults } from "../scale-results.ts";
import { latencyPlot } from "./plot.ts";
import { reportTables } from "./report-tables.ts";

const docs = new URL("../../../../../docs/", import.meta.url);
const page = fileURLToPath(new URL("performance.md", docs));
const plot = fileURLToPath(new URL("performance.svg", docs));
const start = "<!-- figures: written by pnpm bench scale --report -->";
const end = "<!-- end of figures -->";

/** Writes the tables of results into the documentation, and the plot beside it. Returns the files. */
export function writeReport(paths: readonly string[]): string[] {
  const results = merged(paths.map((path) => JSON.parse(readFileSync(path, "utf8")) as ScaleResults));
  const picture = "![p99 of each kind by contexts in the store; the dashed line is 100 ms](performance.svg)";
  writeFileSync(page, withFigures(readFileSync(page, "utf8"), [picture, "", ...reportTables(results)]));
  writeFileSync(plot, latencyPlot(results));
  return [page, plot];
}

/** Runs as one: of an engine and a size, or of a peer, that several have the last one holds. */
export function merged(runs: readonly ScaleResults[]): ScaleResults {
  const last = runs.at(-1);
  if (last === undefined) throw new Error("Name a file of results.");
  const engines = [
    ...Map.groupBy(
      runs.flatMap((run) => run.engines),
      ({ engine }) => engine,
    ).values(),
  ].map(ofAllSizes);
  const peers = new Map(runs.flatMap((run) => run.peers.map((result) => [result.peer, result] as const)));
  return { ...last, engines, peers: [...peers.values()] };
}

function ofAllSizes(runs: readonly EngineResult[]): EngineResult {
  const sizes = new Map(runs.flatMap((run) => run.sizes.map((size) => [size.contexts, size] as const)));
  const [first, ...later] = runs;
  if (first === undefined) throw new Error("An engine has a run at least.");
  return { ...(later.at(-1) ?? first), sizes: [...sizes.values()].toSorted((a, b) => a.contexts - b.contexts) };
}

/** A page with other lines between its marks. @throws Error when it has no marks */
export function withFigures(text: string, lines: readonly string[]): string {
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${page} has no block between "${start}" and "${end}".`);
  return `${text.slice(0, from)}${start}\n\n${lines.join("\n")}\n\n${text.slice(to)}`;
}
