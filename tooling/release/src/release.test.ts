import { expect, test } from "vitest";
import { compare, type Figures, readFigures } from "./scores.ts";
import { readReport, sumUp } from "./totals.ts";

const one = { texts: 100, changed: 1, chars: 100_000, charsChanged: 5 };
const evaluation = {
  rows: 1,
  errors: 0,
  types: { email: { n: 200, gone: 200, full: 200, cov: 199 } },
  over: { "page-text": one, "outside-labels": one },
};
const figures = readFigures(JSON.stringify(evaluation));
const newlyFailed = (now: Figures) => {
  const before = compare(figures, figures).failed;
  return compare(now, figures).failed.filter((name) => !before.includes(name));
};

test("the privacy ratchet fails when a figure falls, is missing or is new", () => {
  const email = { values: 200, gone: 200, full: 200, share: 99.5 };
  const page = { texts: 100, changedTexts: 1, characters: 100_000, changedCharacters: 5 };
  expect(figures).toEqual({ kinds: { email }, clean: { "page-text": page } });
  expect(newlyFailed(figures)).toEqual([]);
  expect(newlyFailed({ ...figures, kinds: { email: { ...email, gone: 199 } } })).toHaveLength(1);
  expect(newlyFailed({ ...figures, kinds: { email: { ...email, full: 150 } } })).toHaveLength(2);
  expect(newlyFailed({ ...figures, clean: { "page-text": { ...page, changedCharacters: 11 } } })).toHaveLength(2);
  expect(newlyFailed({ ...figures, kinds: {} })).toHaveLength(2);
  expect(newlyFailed({ ...figures, kinds: { email, phone: email } })).toHaveLength(1);
  expect(() => readFigures(JSON.stringify({ ...evaluation, errors: 1 }))).toThrow("threw at 1");
});

test("a CI run counts every failure once, with its reason", () => {
  const report = readReport(
    JSON.stringify({
      testResults: [
        {
          name: "/x/a.test.ts",
          status: "failed",
          assertionResults: [
            { status: "passed", fullName: "adds" },
            { status: "failed", fullName: "b", failureMessages: ["Error: 1 is not 2\n    at b"] },
          ],
        },
        { name: "/x/broken.test.ts", status: "failed", message: "no such module", assertionResults: [] },
      ],
    }),
  );
  expect(report).toEqual({
    passed: ["a.test.ts: adds"],
    failed: ["a.test.ts: b\n    Error: 1 is not 2\n        at b", "broken.test.ts\n    no such module"],
  });
  const privacy = { passed: [], failed: [], notRun: "no texts" };
  const lines = sumUp({ e2e: report, "apps/server": report, privacy }, { install: 0, e2e: 1, check: 2, privacy: 0 });
  expect(lines).toContain("privacy: did not run (no texts)");
  expect(lines).toContain("check: 0 passed, 1 failed");
  expect(lines.at(-1)).toBe("3 passed, 5 failed");
});
