import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Where results are kept; not under version control. */
export const resultsFolder = fileURLToPath(new URL("../results/", import.meta.url));

/** Writes a benchmark's results as JSON and returns the path. */
export function writeResults(name: string, results: unknown, at = new Date()): string {
  mkdirSync(resultsFolder, { recursive: true });
  const path = join(resultsFolder, `${name}-${at.toISOString().replaceAll(/[:.]/g, "-")}.json`);
  writeFileSync(path, `${JSON.stringify(results, undefined, 2)}\n`);
  return path;
}
