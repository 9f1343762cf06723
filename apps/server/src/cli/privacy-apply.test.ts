import { existsSync } from "node:fs";
import { expect } from "vitest";
import { withoutProgress, withCommand as test } from "../../test/test-command.js";
import { readConfig } from "../config/config.js";
import { noCounts } from "../refilter/refilter-context.js";
import { claimDataDirectory } from "./data-directory.js";
import { applyTable } from "./privacy-apply.js";
import { policyName } from "./privacy.js";

const apply = ["privacy", "apply"] as const;

test("fails without a database, and creates none", async ({ command }) => {
  const { code, out, err } = await command.run(...apply);
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toBe(
    `There is no database ${command.dataDir}/periscope.db. Nothing is stored yet, or it is elsewhere: name its place with --data-dir.\n`,
  );
  expect(existsSync(command.dataDir)).toBe(false);
});

test("has nothing to do in a second run, except with --all", async ({ command }) => {
  await command.run("users", "create", "ada");
  const { code, out, err } = await command.run(...apply);
  expect({ code, err: withoutProgress(err) }).toEqual({ code: 0, err: "" });
  expect(out).toMatch(/^WHAT {26}COUNT\nusers {29}1\ncontexts checked {18}0\n/);
  expect((await command.run(...apply)).out).toMatch(/^Nothing to do/);
  expect(await command.json(...apply, "--all")).toMatchObject({ users: 1, upToDate: 0, isDryRun: false, isStopped: false });
});

test("rejects another policy than the running server's, except in a dry run", async ({ command }) => {
  await command.run("users", "create", "ada");
  using claim = claimDataDirectory(command.dataDir);
  claim.announce({ address: "http://127.0.0.1:4000/api/v1", policy: policyName(readConfig({}).privacyPolicy) });
  command.env["PRIVACY_MINIMUM_LEVEL"] = "filtered";
  const { code, out, err } = await command.run(...apply);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toContain("uses another privacy policy than these settings. Nothing was changed.");
  expect((await command.run(...apply, "--dry-run")).code).toBe(0);
  delete command.env["PRIVACY_MINIMUM_LEVEL"];
  expect((await command.run(...apply)).code).toBe(0);
});

test("prints a row for everything that was done", () => {
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
  nothing to do                                 1
contexts checked                           12,345
  unchanged                                12,000
  rewritten                                   342
    raised from public to filtered             40
    raised from private to restricted           1
    could not be filtered, now restricted       1
  removed                                       3
    blocked-site                                2
    category:password_manager                   1
values redacted                                10
  email                                         7
  phone                                         3
extension settings rewritten                    0
extension errors rewritten                      0
replay records stripped                        12
Nothing was written. A run without --dry-run would do this.
`);
});
