import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { TestCommand, withCommand as test, withoutProgress } from "../../test/test-command.js";
import { readConfig } from "../config/config.js";
import { noCounts } from "../refilter/refilter-context.js";
import { claimDatabase, claimDataDirectory } from "./data-directory.js";
import { applyTable } from "./privacy-apply.js";
import { policyName } from "./privacy.js";

/** A command of an installation that has the user ada. */
async function withAda(env: Record<string, string> = {}): Promise<TestCommand> {
  const command = new TestCommand(env);
  await command.run("users", "create", "ada");
  return command;
}

function file({ dataDir }: TestCommand, name: string, content: string): string {
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(join(dataDir, name), content);
  return join(dataDir, name);
}

const none = { blockedSites: [], siteRules: [], denyList: [] };
const rules = { blockedSites: ["diary.example"], siteRules: [{ site: "wiki.example", level: "filtered" }], denyList: ["Ada L."] };

describe("privacy rules", () => {
  test("are shown, replaced and cleared", async () => {
    using command = await withAda();
    expect((await command.run("privacy", "rules", "ada")).out).toBe("User ada has no privacy rules.\n");
    const path = file(command, "rules.json", JSON.stringify({ ...rules, blockedSites: ["WWW.Diary.example/", "diary.example"] }));
    const { code, out } = await command.run("privacy", "rules", "ada", "--set", path);
    expect(code).toBe(0);
    expect(out).toMatch(/^Privacy rules of user ada since 2\d{3}-.*Z:\n/);
    expect(out).toMatch(/^blocked +diary\.example\nlevel +wiki\.example +filtered\nhidden +"Ada L\."\n/m);
    expect(out).toContain("privacy apply --user ada\n");
    expect(await command.json("privacy", "rules", "ada")).toEqual({ ...rules, updatedAt: expect.stringMatching(/Z$/) });
    expect(await command.json("privacy", "rules", "ada", "--clear")).toEqual({ ...none, updatedAt: expect.any(String) });
  });

  test("are escaped for the terminal", async () => {
    using command = await withAda();
    command.input = JSON.stringify({ ...none, denyList: ["\u001b]0;owned\u0007", "a\u009bb", "a\u202eb"] });
    const { out } = await command.run("privacy", "rules", "ada", "--set", "-");
    for (const escaped of [String.raw`"\u001b]0;owned\u0007"`, String.raw`"a\u009bb"`, String.raw`"a\u202eb"`])
      expect(out).toContain(escaped);
  });

  test("change nothing without a known user, one action, a file and valid rules", async () => {
    using command = await withAda();
    const before = await command.json("privacy", "rules", "ada");
    const cases: Array<[words: string, code: number, complaint: string, input?: string]> = [
      ["bob", 1, "no user bob"],
      ["ada --clear --set -", 2, "--set"],
      ["ada --set /nowhere.json", 2, "There is no file /nowhere.json.\n"],
      ["ada --set -", 2, "is not JSON. Nothing was changed.", "{"],
      ["ada --set -", 2, "denyList: required. Nothing was changed.", '{"blockedSites":["https://a.example"],"siteRules":[],"denylist":[]}'],
    ];
    for (const [words, code, complaint, input = ""] of cases) {
      command.input = input;
      const { out, ...rest } = await command.run("privacy", "rules", ...words.split(" "));
      expect([out, rest]).toEqual(["", { code, err: expect.stringContaining(complaint) }]);
    }
    expect(await command.json("privacy", "rules", "ada")).toEqual(before);
  });
});

describe("privacy explain", () => {
  const planted = "Write to jo.planted@mail.example\nor pay by 4111 1111 1111 1111.\n";

  test("prints kind, rule and place, and never the value", async ({ command }) => {
    command.input = planted;
    const words = ["privacy", "explain", "--level", "filtered", "--title", "From 192.0.2.7"];
    const { code, out } = await command.run(...words);
    expect(code).toBe(0);
    for (const line of [
      /^Level: filtered\nRemoved: /,
      /^title +1 +6 +ip +ipv4$/m,
      /^content +1 +10 +email +address$/m,
      /^content +2 +11 +card +grouped$/m,
    ])
      expect(out).toMatch(line);
    const json = await command.json(...words);
    expect(json).toMatchObject({ captured: true, level: "filtered", redactions: { email: 1, card: 1, ip: 1 } });
    expect(out + JSON.stringify(json)).not.toMatch(/planted|4111|192\.0/);
  });

  test("reads a file, and raises the level of known sites", async ({ command }) => {
    const path = file(command, "page.html", "<p>hello</p>");
    const explain = async (url: string) => (await command.run("privacy", "explain", path, "--url", url)).out;
    expect(await explain("https://mail.google.com/mail/u/0/")).toBe("Level: filtered (category:webmail)\nRemoved: nothing\n");
    const banking = "Level: restricted (category:banking)\nOnly origin, times and the state of the tab are stored.\n";
    expect(await explain("https://www.chase.com/")).toBe(banking);
    expect(await explain("about:blank")).toMatch(/^Not captured \(browser-page\)/);
  });

  test("applies the operator's policy and the user's rules", async () => {
    using command = await withAda({ DETECTORS_OFF: "email", BLOCKED_SITES: "blocked.example" });
    command.input = JSON.stringify({ ...none, denyList: ["lighthouse keeper"], siteRules: [{ site: "wiki.example", level: "filtered" }] });
    await command.run("privacy", "rules", "ada", "--set", "-");
    command.input = `A Lighthouse Keeper. ${planted}`;
    const explain = (...words: string[]) => command.json("privacy", "explain", ...words);
    expect((await explain("--level", "filtered")).redactions).toEqual({ card: 1 });
    const own = await explain("--user", "ada", "--url", "https://wiki.example/a");
    expect(own).toMatchObject({ level: "filtered", reasons: ["user:site-rule"], redactions: { denied: 1, card: 1 } });
    expect(await explain("--url", "https://blocked.example/")).toMatchObject({ captured: false, reasons: ["blocked-site"] });
  });

  test.for<[words: string, code: number, complaint: string]>([
    ["--url javascript:alert(1)", 2, "http, https or file"],
    ["--format pdf", 2, "text, html, markdown"],
    ["--level secret", 2, "public, private, filtered, restricted"],
    ["/nowhere.txt", 2, "There is no file"],
  ])("rejects %s", async ([words, code, complaint], { command }) => {
    const err = expect.stringContaining(complaint);
    expect(await command.run("privacy", "explain", ...words.split(" "))).toMatchObject({ code, err });
  });
});

describe("privacy policy", () => {
  test("shows each rule and the settings it comes from", async ({ command }) => {
    const policy = {
      minimumLevel: "private",
      blockedSites: ["a.example"],
      categories: { banking: { level: "restricted", sites: ["bank.example", "credit.example"] } },
      detectorsOn: ["email"],
      patterns: [{ kind: "parcel", pattern: "PCL-[0-9]{6}" }],
    };
    const path = file(command, "policy.json", JSON.stringify(policy));
    Object.assign(command.env, { PRIVACY_POLICY_FILE: path, PRIVACY_MINIMUM_LEVEL: "filtered", BLOCKED_SITES: "b.example" });
    const { out } = await command.run("privacy", "policy");
    expect(out).toContain(`Policy file: ${path}\n`);
    for (const line of [
      /^minimum level +filtered +PRIVACY_MINIMUM_LEVEL, PRIVACY_POLICY_FILE$/m,
      /^blocked site +a\.example +BLOCKED_SITES, PRIVACY_POLICY_FILE$/m,
      /^blocked site +b\.example /m,
      /^category banking +restricted: bank\.example credit\.example +PRIVACY_POLICY_FILE$/m,
      /^detector on +email +PRIVACY_POLICY_FILE$/m,
      /^pattern parcel +"PCL-\[0-9\]\{6\}" from filtered +PRIVACY_POLICY_FILE$/m,
    ])
      expect(out).toMatch(line);
    expect(await command.json("privacy", "policy")).toMatchObject({
      file: path,
      policy: { ...policy, minimumLevel: "filtered", blockedSites: ["a.example", "b.example"] },
      sources: { minimumLevel: ["PRIVACY_MINIMUM_LEVEL", "PRIVACY_POLICY_FILE"], detectorsOff: [] },
    });
  });

  test("stops every command when its file is wrong", async ({ command }) => {
    const path = file(command, "policy.json", '{"detectorsOff":["card"]}');
    command.env["PRIVACY_POLICY_FILE"] = path;
    const complaint = `PRIVACY_POLICY_FILE: ${path}: detectorsOff[0]: got "card"; belongs to the floor`;
    for (const words of [["privacy", "policy"], ["users", "list"], ["serve"]])
      expect(await command.run(...words)).toMatchObject({ code: 2, err: expect.stringContaining(complaint) });
    expect(await command.run("doctor")).toMatchObject({ code: 1, out: expect.stringContaining(`problem  settings: ${complaint}`) });
  });
});

describe("privacy apply", () => {
  const apply = ["privacy", "apply"] as const;

  test("fails without a database, and creates none", async ({ command }) => {
    const err = `There is no database ${command.dataDir}/periscope.db. Nothing is stored yet, or it is elsewhere: name its place with --data-dir.\n`;
    expect(await command.run(...apply)).toEqual({ code: 1, out: "", err });
    expect(existsSync(command.dataDir)).toBe(false);
  });

  test("has nothing to do in a second run, except with --all", async () => {
    using command = await withAda();
    const { code, out, err } = await command.run(...apply);
    expect({ code, err: withoutProgress(err) }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/^WHAT {26}COUNT\nusers {29}1\ncontexts checked {18}0\n/);
    expect((await command.run(...apply)).out).toMatch(/^Nothing to do/);
    expect(await command.json(...apply, "--all")).toMatchObject({ users: 1, upToDate: 0, isDryRun: false, isStopped: false });
  });

  test("rejects an unknown user", async () => {
    using command = await withAda();
    const unknown = { code: 1, out: "", err: expect.stringContaining("There is no user bob.") };
    expect(await command.run(...apply, "--user", "bob")).toEqual(unknown);
  });

  test("rejects another policy than the running server's, except in a dry run", async () => {
    using command = await withAda();
    using claim = claimDataDirectory(command.dataDir);
    claim.announce({ address: "http://127.0.0.1:4000/api/v1", policy: policyName(readConfig({}).privacyPolicy) });
    command.env["PRIVACY_MINIMUM_LEVEL"] = "filtered";
    const err = expect.stringContaining("uses another privacy policy than these settings. Nothing was changed.");
    expect(await command.run(...apply)).toEqual({ code: 2, out: "", err });
    expect((await command.run(...apply, "--dry-run")).code).toBe(0);
    delete command.env["PRIVACY_MINIMUM_LEVEL"];
    expect((await command.run(...apply)).code).toBe(0);
  });

  test("rejects a server whose policy is not known", async () => {
    using command = await withAda();
    using _claim = claimDatabase(join(command.dataDir, "periscope.db"));
    const err = expect.stringContaining("its privacy policy is not known. Nothing was changed.");
    expect(await command.run(...apply)).toEqual({ code: 2, out: "", err });
    expect((await command.run(...apply, "--dry-run")).code).toBe(0);
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
    const table = applyTable({ users: 3, upToDate: 1, disturbed: 0, isDryRun: true, isStopped: false, counts });
    const [heading, ...rows] = table.trimEnd().split("\n");
    expect(heading).toMatch(/^WHAT +COUNT$/);
    expect(rows.pop()).toBe("Nothing was written. A run without --dry-run would do this.");
    const widths = new Set(rows.map(({ length }) => length));
    const told = rows.map((row) => row.trim().replace(/  +/, ": "));
    expect([widths.size, told.join("; ")]).toEqual([
      1,
      "users: 3; nothing to do: 1; contexts checked: 12,345; unchanged: 12,000; rewritten: 342; raised from public to filtered: 40; " +
        "raised from private to restricted: 1; could not be filtered, now restricted: 1; removed: 3; blocked-site: 2; " +
        "category:password_manager: 1; values redacted: 10; email: 7; phone: 3; extension settings rewritten: 0; " +
        "extension errors rewritten: 0; replay records stripped: 12",
    ]);
  });
});
