import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { TestCommand, withoutProgress } from "../../test/test-command.js";
import { readConfig } from "../config/config.js";
import { claimDataDirectory } from "./data-directory.js";
import { policyName } from "./policy-name.js";

const apply = ["privacy", "apply"] as const;

test("without a database nothing is made, and the answer says where it was looked for", async () => {
  using command = new TestCommand();
  const { code, out, err } = await command.run(...apply);
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toBe(`There is no database ${command.dataDir}/periscope.db: nothing is stored yet, or it is elsewhere (--data-dir).\n`);
  expect(existsSync(command.dataDir)).toBe(false);
});

test("an unknown user is refused", async () => {
  using command = new TestCommand();
  await command.run("users", "create", "ada");
  expect(await command.run(...apply, "--user", "nobody")).toEqual({
    code: 1,
    out: "",
    err: "There is no user nobody; `periscope users list` shows who there is.\n",
  });
});

test("a user without contexts is done, and then there is nothing left to do", async () => {
  using command = new TestCommand();
  await command.run("users", "create", "ada");
  const { code, out, err } = await command.run(...apply);
  expect({ code, err: withoutProgress(err) }).toEqual({ code: 0, err: "" });
  expect(out).toMatch(/^WHAT {26}COUNT\nusers {29}1\ncontexts checked {18}0\n/);
  expect((await command.run(...apply)).out).toMatch(/^Nothing is left to do/);
  expect(await command.json(...apply, "--all")).toMatchObject({ users: 1, upToDate: 0, isDryRun: false, isStopped: false });
});

test("settings that differ from those of a running server change nothing, and may be tried out", async () => {
  using command = new TestCommand();
  await command.run("users", "create", "ada");
  using claim = claimDataDirectory(command.dataDir);
  claim.announce({ address: "http://127.0.0.1:4000/api/v1", policy: policyName(readConfig({}).privacyPolicy) });
  command.env["PRIVACY_MINIMUM_LEVEL"] = "filtered";
  const { code, out, err } = await command.run(...apply);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toContain("filters by another policy than these settings; nothing was changed.");
  expect((await command.run(...apply, "--dry-run")).code).toBe(0);
  delete command.env["PRIVACY_MINIMUM_LEVEL"];
  expect((await command.run(...apply)).code).toBe(0);
});

test("a policy that is not valid is refused before anything is read", async () => {
  using command = new TestCommand({ PRIVACY_MINIMUM_LEVEL: "secret" });
  const { code, err } = await command.run(...apply);
  expect(code).toBe(2);
  expect(err).toContain("PRIVACY_MINIMUM_LEVEL");
});
