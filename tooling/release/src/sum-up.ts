import type { Tally } from "./tally.ts";

/** How a step of the CI run ended. */
export interface StepStatus {
  /** `install`, `test`, `check`, `privacy` or `readme`. */
  step: string;
  status: number;
}

/** How many passed and failed. */
export interface Counts {
  passed: number;
  failed: number;
}

/** All that a CI run left behind. */
export interface Findings {
  statuses: readonly StepStatus[];
  /** Tests by package. */
  tests: readonly (Counts & { name: string })[];
  /** Names of what passed and failed in a step that runs many things; absent when the step did not get to its end. */
  tallies: Readonly<Record<string, Tally | undefined>>;
}

/** Counts of a vitest JSON report. A file that could not be loaded has no tests, and is one failure. */
export function countTests(report: string): Counts {
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(report) as {
    numPassedTests: number;
    numFailedTests: number;
    testResults: { status: string; assertionResults: { status: string }[] }[];
  };
  const unloaded = testResults.filter(
    ({ status, assertionResults }) => status === "failed" && assertionResults.every((one) => one.status !== "failed"),
  );
  return { passed: numPassedTests, failed: numFailedTests + unloaded.length };
}

/** Adds everything up. A step that failed without a failure to show for it counts as one, so that no failure goes uncounted. */
export function sumUp({ statuses, tests, tallies }: Findings): Counts & { lines: string[] } {
  const lines: string[] = [];
  let passed = 0;
  let failed = 0;
  const add = (name: string, counts: Counts) => {
    lines.push(`${name}: ${counts.passed} passed, ${counts.failed} failed`);
    passed += counts.passed;
    failed += counts.failed;
  };
  for (const { step, status } of statuses) {
    const notRun = tallies[step]?.notRun;
    if (notRun !== undefined) {
      lines.push(`${step}: did not run, nothing counted (${notRun})`);
      continue;
    }
    const parts =
      step === "test" ? tests.map(({ name, ...counts }) => ({ name: `tests of ${name}`, ...counts })) : tallied(step, tallies[step]);
    for (const { name, ...counts } of parts) add(name, counts);
    const shown = parts.reduce((sum, part) => sum + part.failed, 0);
    if (status !== 0 && shown === 0) add(`${step} (exit status ${status})`, { passed: 0, failed: 1 });
    else if (parts.length === 0) add(step, { passed: 1, failed: 0 });
  }
  return { lines, passed, failed };
}

function tallied(step: string, tally: Tally | undefined): (Counts & { name: string })[] {
  return tally === undefined ? [] : [{ name: step, passed: tally.passed.length, failed: tally.failed.length }];
}
