import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The folder of the repository. */
export const root = fileURLToPath(new URL("../../../", import.meta.url));

/** What passed and what failed, by name. */
export interface Tally {
  passed: string[];
  failed: string[];
  /** Why nothing was tried, where that is no failure. Then nothing counts as passed either. */
  notRun?: string;
}

/** Writes a tally for the totals of a CI run, prints its line, and sets the exit status. */
export function finish(name: string, tally: Tally): void {
  mkdirSync(`${root}.cache`, { recursive: true });
  writeFileSync(`${root}.cache/${name}.json`, JSON.stringify(tally));
  console.log(`\n${name}: ${tally.passed.length} passed, ${tally.failed.length} failed`);
  process.exitCode = tally.failed.length === 0 ? 0 : 1;
}
