import { expect, test } from "vitest";
import { countTests, sumUp } from "./sum-up.ts";

const report = (numPassedTests: number, testResults: unknown[] = []) => JSON.stringify({ numPassedTests, testResults });

test("counts tests and names those that failed; a file that could not be loaded is one failure", () => {
  const passing = { status: "passed", fullName: "works" };
  expect(countTests(report(5, [{ name: "/a/b.test.ts", status: "passed", assertionResults: [passing] }]))).toEqual({
    passed: 5,
    failed: 0,
    failures: [],
  });
  expect(
    countTests(
      report(5, [
        { name: "/a/b.test.ts", status: "failed", assertionResults: [passing, { status: "failed", fullName: "store keeps all" }] },
        { name: "/a/c.test.ts", status: "failed", assertionResults: [] },
      ]),
    ),
  ).toEqual({ passed: 5, failed: 2, failures: ["b.test.ts: store keeps all", "c.test.ts"] });
});

test("adds up tests, checks and commands; a step without parts is one; failures are named", () => {
  const { passed, failed, lines } = sumUp({
    statuses: [
      { step: "install", status: 0 },
      { step: "readme", status: 1 },
      { step: "check", status: 0 },
    ],
    tests: [
      { name: "apps/server", passed: 10, failed: 1, failures: ["a.test.ts: one"] },
      { name: "packages/schemas", passed: 5, failed: 0, failures: [] },
    ],
    tallies: { check: { passed: ["lint", "types"], failed: [] }, readme: { passed: ["start"], failed: ["curl"] } },
  });
  expect({ passed, failed }).toEqual({ passed: 1 + 15 + 2 + 1, failed: 1 + 1 });
  expect(lines.slice(0, 2)).toEqual(["tests of apps/server: 10 passed, 1 failed", "  failed: a.test.ts: one"]);
  expect(lines).toContain("  failed: curl");
});

test("a step that failed without a failure to show for it counts as one", () => {
  const tests = [{ name: "packages/schemas", passed: 5, failed: 0, failures: [] }];
  const lost = { step: "check", status: 124 };
  expect(sumUp({ tests, tallies: {}, statuses: [lost] })).toMatchObject({ passed: 5, failed: 1 });
  const tallies = { check: { passed: ["lint"], failed: [] } };
  expect(sumUp({ tests: [], tallies, statuses: [lost] })).toMatchObject({ passed: 0, failed: 1 });
});

test("a step that says it did not run counts neither as passed nor as failed, and is named", () => {
  const tallies = { privacy: { passed: [], failed: [], notRun: "dev.jsonl.gz not found" } };
  const { passed, failed, lines } = sumUp({ statuses: [{ step: "privacy", status: 2 }], tests: [], tallies });
  expect({ passed, failed }).toEqual({ passed: 0, failed: 0 });
  expect(lines).toEqual(["privacy: did not run, nothing counted (dev.jsonl.gz not found)"]);
  // Without its own word that nothing was tried, a step that ends badly has failed.
  expect(sumUp({ statuses: [{ step: "privacy", status: 2 }], tests: [], tallies: { privacy: undefined } })).toMatchObject({ failed: 1 });
});
