import { expect, test } from "vitest";
import { countTests, sumUp } from "./sum-up.ts";

const report = (numPassedTests: number, numFailedTests: number, testResults: unknown[] = []) =>
  JSON.stringify({ numPassedTests, numFailedTests, testResults });

test("counts tests, and a file that could not be loaded as one failure", () => {
  expect(countTests(report(5, 0))).toEqual({ passed: 5, failed: 0 });
  expect(countTests(report(5, 1, [{ status: "failed", assertionResults: [{ status: "failed" }] }]))).toEqual({ passed: 5, failed: 1 });
  expect(countTests(report(5, 0, [{ status: "failed", assertionResults: [] }]))).toEqual({ passed: 5, failed: 1 });
});

test("adds up tests, checks and commands; a step without parts is one", () => {
  const { passed, failed, lines } = sumUp({
    statuses: [
      { step: "install", status: 0 },
      { step: "test", status: 1 },
      { step: "check", status: 0 },
      { step: "readme", status: 1 },
    ],
    tests: [
      { name: "apps/server", passed: 10, failed: 2 },
      { name: "packages/schemas", passed: 5, failed: 0 },
    ],
    tallies: { check: { passed: ["lint", "types"], failed: [] }, readme: { passed: ["start"], failed: ["curl"] } },
  });
  expect({ passed, failed }).toEqual({ passed: 1 + 15 + 2 + 1, failed: 2 + 1 });
  expect(lines).toContain("tests of apps/server: 10 passed, 2 failed");
});

test("a step that failed without a failure to show for it counts as one", () => {
  const findings = { tests: [{ name: "packages/schemas", passed: 5, failed: 0 }], tallies: { check: undefined } };
  expect(sumUp({ ...findings, statuses: [{ step: "test", status: 1 }] })).toMatchObject({ passed: 5, failed: 1 });
  expect(sumUp({ ...findings, statuses: [{ step: "check", status: 124 }] })).toMatchObject({ passed: 0, failed: 1 });
});

test("a step that says it did not run counts neither as passed nor as failed, and is named", () => {
  const tallies = { privacy: { passed: [], failed: [], notRun: "dev.jsonl.gz not found" } };
  const { passed, failed, lines } = sumUp({ statuses: [{ step: "privacy", status: 2 }], tests: [], tallies });
  expect({ passed, failed }).toEqual({ passed: 0, failed: 0 });
  expect(lines).toEqual(["privacy: did not run, nothing counted (dev.jsonl.gz not found)"]);
  // Without its own word that nothing was tried, a step that ends badly has failed.
  expect(sumUp({ statuses: [{ step: "privacy", status: 2 }], tests: [], tallies: { privacy: undefined } })).toMatchObject({ failed: 1 });
});
