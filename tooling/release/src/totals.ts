import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { countTests, type StepStatus, sumUp } from "./sum-up.ts";
import type { Tally } from "./tally.ts";

// Usage: node totals.ts STEP=STATUS … Sums up what a CI run found, in numbers; the last line is `N passed, N failed`.

const root = fileURLToPath(new URL("../../..", import.meta.url));
const statuses = process.argv.slice(2).map((argument): StepStatus => {
  const [step = "", status = "1"] = argument.split("=");
  return { step, status: Number(status) };
});

const tests = [];
for await (const path of glob("*/*/.cache/ci-tests.json", { cwd: root })) {
  tests.push({ name: path.split("/").slice(0, 2).join("/"), ...countTests(await readFile(join(root, path), "utf8")) });
}
const tallies = {
  check: await readTally("checks.json"),
  privacy: await readTally("privacy.json"),
  readme: await readTally("readme.json"),
};

const { lines, passed, failed } = sumUp({ statuses, tests, tallies });
console.log(`\n${lines.join("\n")}\n\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

async function readTally(name: string): Promise<Tally | undefined> {
  try {
    return JSON.parse(await readFile(join(root, ".cache", name), "utf8")) as Tally;
  } catch {
    // The step ended before it could write it; its status says so.
    return undefined;
  }
}
