import { randomUUID } from "node:crypto";
import { limits } from "@periscope/schemas";
import { describe, expect } from "vitest";
import { runCommand } from "../src/cli/program.js";
import { expectError } from "./answer-checks.js";
import { configMessage, createMessage, errorMessage, updateMessage } from "./messages.js";
import type { TestClient } from "./test-client.js";
import { TestServer, withSharedServer as it } from "./test-server.js";

const path = "/privacy/rules";
const none = { blockedSites: [], siteRules: [], denyList: [] };

const page = (id: string, url: string, fields: Record<string, unknown> = {}) =>
  createMessage({ context: { id, tabMetadata: { id: "7", url, title: "A page" }, ...fields } });

async function put(client: TestClient, rules: Record<string, unknown>): Promise<void> {
  const { status, body } = await client.putRules(rules);
  expect([status, body]).toEqual([200, { ...none, ...rules, updatedAt: expect.stringMatching(/^\d{4}-.*Z$/) }]);
}

/** An update of the context `c`, settings and an error, each with the text. */
const aboutWords = (text: string) => [
  updateMessage("c", { title: `Again: ${text}` }),
  configMessage("g", 4, { owner: text, deep: [{ [text]: 1 }] }, "default"),
  errorMessage("E", { message: text, details: { of: [text] } }),
];

/** Level and reasons that a page of this address is stored with. */
async function levelOf(client: TestClient, url: string, privacyLevel = "public"): Promise<[string, string[]]> {
  const { body } = await client.sync(page(randomUUID(), url, { privacyLevel }));
  const { privacyLevel: level, reasons } = body;
  return [level, reasons];
}

describe("stored rules", () => {
  it("are empty at first, then those that were put last", async ({ client, server }) => {
    expect((await client.get(path)).body).toEqual({ ...none, updatedAt: null });
    await put(client, { denyList: ["Ada Lovelace"] });
    const put2 = await client.put(path, { ...none, blockedSites: ["diary.example"], more: "is ignored" });
    expect(put2.body).toMatchObject({ ...none, blockedSites: ["diary.example"] });
    expect((await client.get(path)).body).toEqual(put2.body);
    await server.restart();
    expect((await client.get(path)).body).toEqual(put2.body);
  });

  it("are deleted with their user", async ({ server }) => {
    const first = await server.client({ userId: "ada" });
    await put(first, { blockedSites: ["one.example"] });
    expectError(await first.sync(page("a", "https://one.example/")), "privacy_rejected");
    await server.access.deleteUser("ada");
    const second = await server.client({ userId: "ada" });
    expect((await second.get(path)).body).toEqual({ ...none, updatedAt: null });
    await put(second, { blockedSites: ["other.example"] });
    expect((await second.sync(page("a", "https://one.example/"))).status).toBe(201);
    expectError(await second.sync(page("b", "https://other.example/")), "privacy_rejected");
  });
});

const many = (count: number, entry: (index: number) => string) => Array.from({ length: count }, (_, index) => entry(index));
const levels = (...rules: string[]) => ({ siteRules: rules.map((rule) => ({ site: rule.split(" ")[0], level: rule.split(" ")[1] })) });

it.for<[what: string, lists: object, ...paths: string[]]>([
  ["a wrong type", { ...none, denyList: "Ada" }, "denyList"],
  ["null", { ...none, denyList: null }, "denyList"],
  ["an entry that is no text", { ...none, denyList: ["Ada", 5] }, "denyList.1"],
  ["an entry of one character", { ...none, denyList: [" a "] }, "denyList.0"],
  ["an entry that is too long", { ...none, denyList: ["a".repeat(limits.deniedCharsMax + 1)] }, "denyList.0"],
  ["an address as a site", { ...none, blockedSites: ["https://bank.example/"] }, "blockedSites.0"],
  ["a host with a port", { ...none, blockedSites: ["bank.example:443"] }, "blockedSites.0"],
  ["a site that is too long as ASCII", { ...none, blockedSites: [`a.example/${"ü".repeat(200)}`] }, "blockedSites.0"],
  ["an unknown level", { ...none, ...levels("a.example secret") }, "siteRules.0.level"],
  ["a rule without a level", { ...none, ...levels("a.example") }, "siteRules.0.level"],
  ["one site at two levels", { ...none, ...levels("a.example private", "www.A.example filtered") }, "siteRules.1.site"],
  ["too many entries", { ...none, blockedSites: many(limits.privacyRulesMax + 1, (index) => `s${index}.example`) }, "blockedSites"],
  ["too much text", { ...none, denyList: many(limits.privacyRulesMax, (index) => `${index}${"a".repeat(64)}`) }, "body"],
  ["a body that is no object", [], "body"],
  ["no list", {}, "blockedSites", "siteRules", "denyList"],
  ["a mistyped list", { blockedSites: [], siteRules: [], denylist: ["Ada"] }, "denyList"],
])("rejects %s by its place, and changes nothing", async ([, body, ...paths], { client }) => {
  await put(client, { denyList: ["Ada Lovelace"] });
  const answer = await client.put(path, body);
  expectError(answer, "bad_request");
  expect(answer.body.details.map((detail: { path: string }) => detail.path)).toEqual(paths);
  expect((await client.get(path)).body.denyList).toEqual(["Ada Lovelace"]);
});

describe("rules", () => {
  it("block sites of their own user, from the next message on", async ({ client, server }) => {
    const other = await server.client();
    expect((await client.sync(page("before", "https://diary.example/1"))).status).toBe(201);
    await put(client, { blockedSites: ["diary.example", "partly.example/private"] });
    for (const url of ["https://diary.example/2", "https://partly.example/private/x"])
      expectError(await client.sync(page("after", url)), "privacy_rejected");
    expect((await client.sync(page("open", "https://partly.example/privately"))).status).toBe(201);
    expect((await other.sync(page("theirs", "https://diary.example/2"))).status).toBe(201);
    expect((await other.get(path)).body.updatedAt).toBeNull();
    await put(client, { blockedSites: [] });
    expect((await client.sync(page("again", "https://diary.example/3"))).status).toBe(201);
  });

  it("lower a category, and never the operator's policy", async ({ client }) => {
    const siteRules = ["mail.google.com", "bank.example"].map((site) => ({ site, level: "public" }));
    await put(client, { siteRules });
    expect(await levelOf(client, "https://mail.google.com/mail/")).toEqual(["private", ["category:webmail", "user:lowered"]]);
    const banking = { banking: { level: "restricted", sites: ["bank.example"] } } as const;
    await using strict = await TestServer.start({ privacyPolicy: { minimumLevel: "filtered", categories: banking } });
    const bound = await strict.client();
    await put(bound, { siteRules });
    expect((await levelOf(bound, "https://mail.google.com/mail/"))[0]).toBe("filtered");
    expect((await levelOf(bound, "https://bank.example/"))[0]).toBe("restricted");
  });

  // What of a user's words is left in files, planted-secrets.sqlite.test.ts looks for.
  it("remove denied words from everything stored, beside the operator's policy", async () => {
    await using server = await TestServer.start({ privacyPolicy: { blockedSites: ["blocked.example"], detectorsOff: ["phone"] } });
    const client = await server.client();
    await put(client, { denyList: ["Zeppelinstrasse 12", "Quill Vandermeer"], blockedSites: ["diary.example"] });
    const text = "Ask QUILL\u00a0Vandermeer of zeppelinstrasse 12, or +49 30 901820 and jo@mail.example.";
    const url = "https://wiki.example/Quill%20Vandermeer/a?q=zeppelinstrasse+12&page=3";
    const context = { id: "c", content: `<p title="Quill Vandermeer">${text}</p>`, privacyLevel: "filtered", metadata: { note: text } };
    const tabMetadata = { id: "7", url, title: text, referrer: url };
    const { privacyLevel, redactions } = (await client.sync(createMessage({ context: { ...context, tabMetadata } }))).body;
    expect([privacyLevel, redactions.denied >= 6]).toEqual(["filtered", true]);
    const { content, url: kept } = (await client.get("/context/c")).body;
    expect([content.includes("+49 30 901820"), kept]).toEqual([true, "https://wiki.example/REDACTED/a?q=REDACTED&page=3"]);
    for (const message of aboutWords(text)) expect((await client.sync(message)).status).toBe(201);
    for (const table of ["contexts", "processed_messages", "extensions", "extension_errors"])
      expect(JSON.stringify(await server.rows(`SELECT * FROM ${table}`))).not.toMatch(/quill|vandermeer|zeppelin|^\[\]$/i);
    expect((await client.get("/context/search?query=vandermeer")).body.total).toBe(0);
    for (const host of ["blocked.example", "diary.example"])
      expectError(await client.sync(page("b", `https://${host}/`)), "privacy_rejected");
  });
});

describe("a change of rules", () => {
  it("keeps replays recognised", async ({ client }) => {
    const text = "of Quill Vandermeer";
    const created = page("c", "https://diary.example/", { content: text, privacyLevel: "filtered" });
    const messages = [created, ...aboutWords(text)];
    const first = [];
    for (const message of messages) first.push((await client.sync(message)).body);
    for (const rules of [{ denyList: ["Quill Vandermeer"] }, { blockedSites: ["diary.example"] }, { denyList: [] }]) {
      await put(client, rules);
      for (const [index, message] of messages.entries())
        expect((await client.sync(message)).body).toEqual({ ...first[index], duplicate: true });
    }
    expectError(await client.sync({ ...created, timestamp: "2026-01-31T12:00:09Z" }), "message_id_reused");
  });

  it("takes effect at once from another server or the command line", async ({ server }) => {
    await using two = await TestServer.start({ databaseUrl: server.config.databaseUrl });
    const client = await server.client();
    expect((await client.sync(page("a", "https://diary.example/"))).status).toBe(201);
    await put(
      client.at(() => two.baseUrl),
      { blockedSites: ["diary.example"] },
    );
    expectError(await client.sync(page("b", "https://diary.example/")), "privacy_rejected");
    const words = ["privacy", "rules", client.userId, "--clear", "--json", "--database-url", server.config.databaseUrl];
    expect(await runCommand(words, { env: {}, out: () => {}, err: () => {} })).toBe(0);
    for (const baseUrl of [server.baseUrl, two.baseUrl])
      expect((await client.at(() => baseUrl).sync(page("c", "https://diary.example/"))).status).toBe(201);
  });
});
