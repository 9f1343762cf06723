import { basename } from "node:path";
import type { Tally } from "./tally.ts";

/** How a step of the CI run ended. */
export interface StepStatus {
  /** As `.ci/run` names it. */
  step: string;
  status: number;
}

/** How many passed and failed. */
export interface Counts {
  passed: number;
  failed: number;
}

/** Counts of tests, and which of them failed. */
export interface TestCounts extends Counts {
  /** A file's name without its directories and the test's full name; the file alone when it could not be loaded. */
  failures: readonly string[];
}

/** All that a CI run left behind. */
export interface Findings {
  statuses: readonly StepStatus[];
  /** Tests by package, all of which some step ran. */
  tests: readonly (TestCounts & { name: string })[];
  /** Names of what passed and failed in a step that runs many things; absent when the step did not get to its end. */
  tallies: Readonly<Record<string, Tally | undefined>>;
}

/** Counts of a vitest JSON report. A file that could not be loaded has no tests, and is one failure. */
export function countTests(report: string): TestCounts {
  const { numPassedTests, testResults } = JSON.parse(report) as {
    numPassedTests: number;
    testResults: { name: string; status: string; assertionResults: { status: string; fullName: string }[] }[];
  };
  const failures = testResults.flatMap(({ name, status, assertionResults }) => {
    const failed = assertionResults.filter((one) => one.status === "failed").map(({ fullName }) => `${basename(name)}: ${fullName}`);
    return status === "failed" && failed.length === 0 ? [basename(name)] : failed;
  });
  return { passed: numPassedTests, failed: failures.length, failures };
}

/** Adds everything up. A step that failed without a failure to show for it counts as one, so that no failure goes uncounted. */
export function sumUp({ statuses, tests, tallies }: Findings): Counts & { lines: string[] } {
  const lines: string[] = [];
  let passed = 0;
  let failed = 0;
  const add = (name: string, counts: Counts, failures: readonly string[] = []) => {
    lines.push(`${name}: ${counts.passed} passed, ${counts.failed} failed`, ...failures.map((failure) => `  failed: ${failure}`));
    passed += counts.passed;
    failed += counts.failed;
  };
  for (const { name, failures, ...counts } of tests) add(`tests of ${name}`, counts, failures);
  for (const { step, status } of statuses) {
    const tally = tallies[step];
    if (tally?.notRun !== undefined) lines.push(`${step}: did not run, nothing counted (${tally.notRun})`);
    else if (tally !== undefined && (status === 0 || tally.failed.length > 0))
      add(step, { passed: tally.passed.length, failed: tally.failed.length }, tally.failed);
    else if (status === 0) add(step, { passed: 1, failed: 0 });
    else add(`${step} (exit status ${status})`, { passed: 0, failed: 1 });
  }
  return { lines, passed, failed };
}
