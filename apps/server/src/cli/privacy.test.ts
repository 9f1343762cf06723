import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { TestCommand, withCommand as test } from "../../test/test-command.js";

/** A command of an installation that has the user ada. */
async function withAda(env: Record<string, string> = {}): Promise<TestCommand> {
  const command = new TestCommand(env);
  await command.run("users", "create", "ada");
  return command;
}

function file(command: TestCommand, name: string, content: string): string {
  mkdirSync(command.dataDir, { recursive: true });
  const path = join(command.dataDir, name);
  writeFileSync(path, content);
  return path;
}

const none = { blockedSites: [], siteRules: [], denyList: [] };
const rules = { blockedSites: ["diary.example"], siteRules: [{ site: "wiki.example", level: "filtered" }], denyList: ["Ada L."] };

describe("privacy rules", () => {
  test("are shown, replaced and cleared", async () => {
    using command = await withAda();
    expect((await command.run("privacy", "rules", "ada")).out).toBe("User ada has no privacy rules.\n");
    const path = file(command, "rules.json", JSON.stringify({ ...rules, blockedSites: ["WWW.Diary.example/", "diary.example"] }));
    const set = await command.run("privacy", "rules", "ada", "--set", path);
    expect(set.code).toBe(0);
    expect(set.out).toMatch(/^Privacy rules of user ada since 2\d{3}-.*Z:\n/);
    expect(set.out).toMatch(/^blocked +diary\.example\nlevel +wiki\.example +filtered\nhidden +"Ada L\."\n/m);
    expect(set.out).toContain("privacy apply --user ada\n");
    expect(await command.json("privacy", "rules", "ada")).toEqual({ ...rules, updatedAt: expect.stringMatching(/Z$/) });
    const cleared = await command.json("privacy", "rules", "ada", "--clear");
    expect(cleared).toEqual({ blockedSites: [], siteRules: [], denyList: [], updatedAt: expect.any(String) });
  });

  test("are escaped for the terminal", async () => {
    using command = await withAda();
    command.input = JSON.stringify({ ...none, denyList: ["\u001b]0;owned\u0007", "a\u009bb", "a\u202eb"] });
    const { out } = await command.run("privacy", "rules", "ada", "--set", "-");
    expect(out).toContain(String.raw`"\u001b]0;owned\u0007"`);
    expect(out).toContain(String.raw`"a\u009bb"`);
    expect(out).toContain(String.raw`"a\u202eb"`);
  });

  test.each([
    ["{", "is not JSON. Nothing was changed."],
    ['{"blockedSites":["https://bank.example"],"siteRules":[],"denylist":[]}', "denyList: required. Nothing was changed."],
  ])("%s is rejected and changes nothing", async (text, complaint) => {
    using command = await withAda();
    const before = await command.json("privacy", "rules", "ada");
    command.input = text;
    expect(await command.run("privacy", "rules", "ada", "--set", "-")).toEqual({
      code: 2,
      out: "",
      err: expect.stringContaining(complaint),
    });
    expect(await command.json("privacy", "rules", "ada")).toEqual(before);
  });

  test("need a known user, one action and a file", async () => {
    using command = await withAda();
    expect(await command.run("privacy", "rules", "bob")).toMatchObject({ code: 1, err: expect.stringContaining("no user bob") });
    expect(await command.run("privacy", "rules", "ada", "--clear", "--set", "-")).toMatchObject({ code: 2 });
    expect(await command.run("privacy", "rules", "ada", "--set", "/nowhere.json")).toMatchObject({
      code: 2,
      err: "There is no file /nowhere.json.\n",
    });
  });
});

describe("privacy explain", () => {
  const planted = "Write to jo.planted@mail.example\nor pay by 4111 1111 1111 1111.\n";

  test("prints kind, rule and place, and never the value", async ({ command }) => {
    command.input = planted;
    const { code, out } = await command.run("privacy", "explain", "--level", "filtered", "--title", "From 192.0.2.7");
    expect(code).toBe(0);
    expect(out).toMatch(/^Level: filtered\nRemoved: /);
    expect(out).toMatch(/^title +1 +6 +ip +ipv4$/m);
    expect(out).toMatch(/^content +1 +10 +email +address$/m);
    expect(out).toMatch(/^content +2 +11 +card +grouped$/m);
    expect(out).not.toMatch(/planted|4111|192\.0/);
    const json = JSON.stringify(await command.json("privacy", "explain", "--level", "filtered", "--title", "From 192.0.2.7"));
    expect(JSON.parse(json)).toMatchObject({ captured: true, level: "filtered", redactions: { email: 1, card: 1, ip: 1 } });
    expect(json).not.toMatch(/planted|4111|192\.0/);
  });

  test("reads a file, and raises the level of known sites", async ({ command }) => {
    const path = file(command, "page.html", "<p>hello</p>");
    const { out } = await command.run("privacy", "explain", path, "--url", "https://mail.google.com/mail/u/0/");
    expect(out).toBe("Level: filtered (category:webmail)\nRemoved: nothing\n");
    const bank = await command.run("privacy", "explain", path, "--url", "https://www.chase.com/");
    expect(bank.out).toBe("Level: restricted (category:banking)\nOnly origin, times and the state of the tab are stored.\n");
    expect((await command.run("privacy", "explain", path, "--url", "about:blank")).out).toMatch(/^Not captured \(browser-page\)/);
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
    expect(await command.run("privacy", "explain", "--user", "bob")).toMatchObject({ code: 1 });
  });

  test.for<[words: string[], complaint: string]>([
    [["--url", "javascript:alert(1)"], "http, https or file"],
    [["--format", "pdf"], "text, html, markdown"],
    [["--level", "secret"], "public, private, filtered, restricted"],
    [["/nowhere.txt"], "There is no file"],
  ])("%j is rejected", async ([words, complaint], { command }) => {
    expect(await command.run("privacy", "explain", ...words)).toMatchObject({ code: 2, err: expect.stringContaining(complaint) });
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

  test("a wrong file stops every command", async ({ command }) => {
    const path = file(command, "policy.json", '{"detectorsOff":["card"]}');
    command.env["PRIVACY_POLICY_FILE"] = path;
    const complaint = `PRIVACY_POLICY_FILE: ${path}: detectorsOff[0]: got "card"; belongs to the floor`;
    for (const words of [["privacy", "policy"], ["users", "list"], ["serve"]])
      expect(await command.run(...words)).toMatchObject({ code: 2, err: expect.stringContaining(complaint) });
    expect(await command.run("doctor")).toMatchObject({ code: 1, out: expect.stringContaining(`problem  settings: ${complaint}`) });
  });
});
