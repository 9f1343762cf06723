import { expect, test } from "vitest";
import { noCounts } from "../privacy-apply/apply-counts.js";
import { applyTable } from "./privacy-apply-table.js";

test("the table has a line for each thing that was done, and none for what was not", () => {
  const counts = {
    ...noCounts(),
    checked: 12_345,
    unchanged: 12_000,
    rewritten: 342,
    removed: { "category:password_manager": 1, "blocked-site": 2 },
    raised: { public: { filtered: 40 }, private: { restricted: 1 } },
    redactions: { phone: 3, email: 7 },
    failedClosed: 1,
    replayRecords: 12,
  };
  expect(applyTable({ users: 3, upToDate: 1, disturbed: 0, isDryRun: true, isStopped: false, counts })).toBe(`\
WHAT                                        COUNT
users                                           3
  nothing left to do                            1
contexts checked                           12,345
  unchanged                                12,000
  rewritten                                   342
    raised from public to filtered             40
    raised from private to restricted           1
    failed to be filtered, now restricted       1
  removed                                       3
    blocked-site                                2
    category:password_manager                   1
values redacted                                10
  email                                         7
  phone                                         3
extension settings rewritten                    0
extension errors rewritten                      0
replay records stripped                        12
Nothing was written: this is what would be done.
`);
});

test("without users there is nothing to tell", () => {
  expect(applyTable({ users: 0, upToDate: 0, disturbed: 0, isDryRun: false, isStopped: false, counts: noCounts() })).toBe(
    "No users yet.\n",
  );
});
