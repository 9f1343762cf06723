import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { root, type Tally } from "./tally.ts";

// Usage: node totals.ts STEP=STATUS … Adds up what the steps of a CI run found. The last line is `N passed, N failed`.

interface Report {
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { status: string; fullName: string; failureMessages: string[] | null }[];
  }[];
}

/** Counts of a vitest JSON report, with what each failure said. A file that could not be loaded has no tests, and is one failure. */
export function readReport(report: string): Tally {
  const { testResults } = JSON.parse(report) as Report;
  const tally: Tally = { passed: [], failed: [] };
  for (const { name, status, message, assertionResults } of testResults) {
    const passed = assertionResults.filter((one) => one.status === "passed");
    const failed = assertionResults.filter((one) => one.status === "failed");
    tally.passed.push(...passed.map(({ fullName }) => `${basename(name)}: ${fullName}`));
    tally.failed.push(...failed.map(({ fullName, failureMessages }) => `${basename(name)}: ${fullName}${quoted(failureMessages)}`));
    if (status === "failed" && failed.length === 0) tally.failed.push(`${basename(name)}${quoted([message])}`);
  }
  return tally;
}

/** The first lines of what failures said, below their title. */
function quoted(messages: readonly string[] | null): string {
  const lines = (messages ?? []).flatMap((message) => message.split("\n").slice(0, 8));
  return lines.map((line) => `\n    ${line}`).join("");
}

/** Adds everything up. A step that failed without a failure in its tally counts as one. */
export function sumUp(tallies: Readonly<Record<string, Tally>>, statuses: Readonly<Record<string, number>>): string[] {
  const lines: string[] = [];
  let [passed, failed] = [0, 0];
  const add = (name: string, tally: Tally) => {
    lines.push(`${name}: ${tally.passed.length} passed, ${tally.failed.length} failed`, ...tally.failed.map((one) => `  failed: ${one}`));
    passed += tally.passed.length;
    failed += tally.failed.length;
  };
  for (const [name, tally] of Object.entries(tallies)) if (!(name in statuses)) add(name, tally);
  for (const [step, status] of Object.entries(statuses)) {
    const tally = tallies[step];
    if (tally?.notRun !== undefined) lines.push(`${step}: did not run (${tally.notRun})`);
    else if (tally !== undefined && (status === 0 || tally.failed.length > 0)) add(step, tally);
    else add(step, status === 0 ? { passed: [step], failed: [] } : { passed: [], failed: [`exit status ${status}`] });
  }
  return [...lines, "", `${passed} passed, ${failed} failed`];
}

if (import.meta.main) {
  const statuses = Object.fromEntries(process.argv.slice(2).map((argument) => argument.split("="))) as Record<string, string>;
  const tallies: Record<string, Tally> = {};
  for (const path of globSync("*/*/.cache/{tests,ci-*}.json", { cwd: root }).sort()) {
    const step = basename(path, ".json").replace("ci-", "");
    tallies[step === "tests" ? path.split("/").slice(0, 2).join("/") : step] = readReport(readFileSync(join(root, path), "utf8"));
  }
  for (const path of globSync(".cache/{check,privacy,readme}.json", { cwd: root }))
    tallies[basename(path, ".json")] = JSON.parse(readFileSync(join(root, path), "utf8")) as Tally;
  const numbers = Object.fromEntries(Object.entries(statuses).map(([step, status]) => [step, Number(status)]));
  const lines = sumUp(tallies, numbers);
  console.log(lines.join("\n"));
  process.exitCode = lines.at(-1)?.endsWith(" 0 failed") === true ? 0 : 1;
}
