import { mkdtempDisposableSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { detectorKinds, isFloorKind } from "@periscope/privacy";
import { describe, expect, test } from "vitest";
import { ConfigError, readConfig } from "./config.js";
import { createPrivacyFilter } from "../privacy/privacy-filter.js";

const page = readFileSync(new URL("../../../../docs/privacy.md", import.meta.url), "utf8");

/** The policy of a file with this text, and of settings beside it; or what is wrong. */
function read(text: string, env: Record<string, string> = {}) {
  using folder = mkdtempDisposableSync(join(tmpdir(), "periscope-policy-"));
  const file = join(folder.path, "policy.json");
  writeFileSync(file, text);
  try {
    return { policy: readConfig({ PRIVACY_POLICY_FILE: file, ...env }).privacyPolicy, problems: [] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { problems: error.problems.map((problem) => problem.replace(`PRIVACY_POLICY_FILE: ${file}: `, "")) };
  }
}

const empty = { minimumLevel: "public", blockedSites: [], categories: {}, detectorsOff: [], detectorsOn: [], patterns: [] };

test("the documented example is valid, and filters", () => {
  const [, example = ""] = /```json\n(.*?)```/s.exec(page) ?? [];
  const { policy, problems } = read(example);
  expect(problems).toEqual([]);
  expect(policy).toEqual(JSON.parse(example));
  expect(createPrivacyFilter(policy ?? {}, "1").reportText("PCL-123456 of jo@mail.example")).toBe(
    "[REDACTED:parcel_number] of [REDACTED:email]",
  );
});

test("the documentation names every kind that can be switched, and none of the floor", () => {
  for (const { kind } of detectorKinds) expect([kind, page.includes(`\`${kind}\``)]).toEqual([kind, !isFloorKind(kind)]);
});

test.each(["{}", "\uFEFF{}"])("%j sets nothing", (text) => {
  expect(read(text).policy).toEqual(empty);
});

test("file and settings hold together", () => {
  const file = { minimumLevel: "private", blockedSites: ["WWW.A.example/", "b.example"], detectorsOff: ["ip"], detectorsOn: ["email"] };
  const env = { PRIVACY_MINIMUM_LEVEL: "filtered", BLOCKED_SITES: "b.example,c.example", DETECTORS_OFF: "mac,ip", DETECTORS_ON: "card" };
  expect(read(JSON.stringify(file), env).policy).toEqual({
    ...empty,
    minimumLevel: "filtered",
    blockedSites: ["a.example", "b.example", "c.example"],
    detectorsOff: ["ip", "mac"],
    detectorsOn: ["email", "card"],
  });
  expect(read('{"minimumLevel":"restricted"}', env).policy?.minimumLevel).toBe("restricted");
});

describe("what is refused, with its place, what was given and what is allowed", () => {
  test.each([
    ["{", /^is not JSON: /],
    ["[]", /^the file: got \[\]; allowed: an object of minimumLevel, /],
    ['{"minimumLevl":"private"}', /^minimumLevl: got "private"; unknown; allowed: minimumLevel, blockedSites, /],
    ['{"siteRules":[]}', /^siteRules: got \[\]; unknown; allowed: /],
    ['{"minimumLevel":"secret"}', /^minimumLevel: got "secret"; allowed: public, private, filtered, restricted$/],
    ['{"minimumLevel":null}', /^minimumLevel: got null; allowed: public, /],
    ['{"blockedSites":"a.example"}', /^blockedSites: got "a\.example"; allowed: an array of sites$/],
    ['{"blockedSites":["a.example","https://b.example"]}', /^blockedSites\[1\]: got "https:\/\/b\.example"; allowed: a host, /],
    ['{"categories":{"Bank":{"level":"private","sites":[]}}}', /^categories\.Bank: got .*; name of a category; allowed: /],
    ['{"categories":{"bank":{"level":"high","sites":[]}}}', /^categories\.bank\.level: got "high"; allowed: public, /],
    ['{"categories":{"bank":{"level":"private"}}}', /^categories\.bank\.sites: is missing; allowed: an array of sites$/],
    ['{"categories":{"bank":{"level":"private","sites":[],"site":1}}}', /^categories\.bank\.site: got 1; unknown; allowed: level, sites$/],
    [
      '{"categories":{"password_manager":{"level":"private","sites":["vault.example"]}}}',
      /^categories\.password_manager: got .*; nothing of such sites is stored, .*; allowed: list them in blockedSites$/,
    ],
    ['{"detectorsOff":["ip","card"]}', /^detectorsOff\[1\]: got "card"; belongs to the floor, .*; allowed: .*\bemail\b/],
    ['{"detectorsOff":["cvv"]}', /^detectorsOff\[0\]: got "cvv"; belongs to the floor/],
    ['{"detectorsOff":["emails"]}', /^detectorsOff\[0\]: got "emails"; allowed: .*\bemail\b/],
    ['{"detectorsOn":["everything"]}', /^detectorsOn\[0\]: got "everything"; allowed: private_key, .*\bemail\b/],
    ['{"patterns":[{"kind":"x","pattern":"(a+)+"}]}', /^patterns\[0\]\.pattern: got "\(a\+\)\+"; .*unbounded repetition.*; allowed: /],
    ['{"patterns":[{"kind":"x","pattern":"[a"}]}', /^patterns\[0\]\.pattern: got "\[a"; .*; allowed: /],
    ['{"patterns":[{"kind":"x","pattern":"a{0,3}"}]}', /^patterns\[0\]\.pattern: got "a\{0,3\}"; matches the empty text; allowed: /],
    ['{"patterns":[{"kind":"X","pattern":"abc"}]}', /^patterns\[0\]\.kind: got "X"; allowed: a lower-case letter/],
    ['{"patterns":[{"kind":"x","pattern":"abc","from":"never"}]}', /^patterns\[0\]\.from: got "never"; allowed: public, /],
    ['{"patterns":[{"kind":"x","pattern":"abc","flags":"i"}]}', /^patterns\[0\]\.flags: got "i"; unknown; allowed: kind, pattern, from$/],
  ])("%s", (text, problem) => {
    expect(read(text).problems).toEqual([expect.stringMatching(problem)]);
  });

  test("a kind that is both on and off", () => {
    expect(read('{"detectorsOn":["email"]}', { DETECTORS_OFF: "email" }).problems).toEqual([expect.stringMatching(/both name email; /)]);
  });

  test("a file that is not there, is a directory, or is too large", () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), "periscope-policy-"));
    mkdirSync(join(folder.path, "directory"));
    writeFileSync(join(folder.path, "large"), " ".repeat(1_048_577));
    for (const [name, problem] of [
      ["missing", "there is no such file"],
      ["directory", "cannot be read (EISDIR)"],
      ["large", "got 1048577 bytes; allowed: at most 1048576"],
    ]) {
      const path = join(folder.path, name ?? "");
      expect(() => readConfig({ PRIVACY_POLICY_FILE: path })).toThrow(new ConfigError([`PRIVACY_POLICY_FILE: ${path}: ${problem}`]));
    }
  });
});
