import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readConfig } from "../src/config/config.js";
import { apply, runApply } from "./apply-command.js";
import { checkWhole, dumpOf, rowsOf, writeTo } from "./database-dump.js";
import { createMessage, deleteMessage } from "./messages.js";
import type { TestClient } from "./test-client.js";
import { TestServer } from "./test-server.js";

/** A server under the policy that nothing is set for. */
const startServer = () => TestServer.start({ privacyPolicy: readConfig({}).privacyPolicy });

const filtered = { PRIVACY_MINIMUM_LEVEL: "filtered" };
const email = "ada.planted@mail.example";
const letter = `A letter about lighthouses, written to ${email} in spring.`;

function page(id: string, fields: Record<string, unknown> = {}, url = "https://articles.example/reading") {
  const tabMetadata = { id: "7", url, title: "Lighthouses" };
  return createMessage({ messageId: `message-${id}`, context: { id, content: letter, privacyLevel: "public", tabMetadata, ...fields } });
}

async function sync(client: TestClient, ...messages: unknown[]): Promise<void> {
  for (const message of messages) expect((await client.sync(message)).status).toBe(201);
}

async function found(client: TestClient, query: string): Promise<string[]> {
  const { body } = await client.get(`/context/search?query=${encodeURIComponent(query)}`);
  return body.results.map(({ contextId }: { contextId: string }) => contextId).toSorted();
}

const context = async (client: TestClient, id: string) => (await client.get(`/context/${id}`)).body;

describe("a rule that was raised", () => {
  it("rewrites what is stored: level, text and search index", async () => {
    await using server = await startServer();
    const client = await server.client();
    await sync(client, page("letter"), page("plain", { content: "Only lighthouses." }));
    expect(await found(client, "planted")).toEqual(["letter"]);
    const { counts, ...report } = await apply(server, filtered);
    expect(report).toEqual({ users: 1, upToDate: 0, disturbed: 0, isDryRun: false, isStopped: false });
    expect(counts).toMatchObject({ checked: 2, unchanged: 0, rewritten: 2, removed: {}, redactions: { email: 1 }, failedClosed: 0 });
    expect(counts.raised).toEqual({ public: { filtered: 2 } });
    expect(await context(client, "letter")).toMatchObject({
      content: "A letter about lighthouses, written to [REDACTED:email] in spring.",
      privacyLevel: "filtered",
    });
    expect([await found(client, "planted"), await found(client, "lighthouses")]).toEqual([[], ["letter", "plain"]]);
    checkWhole(server.databaseFile);
  });

  it("leaves times, ids and order of arrival as they are", async () => {
    await using server = await startServer();
    const client = await server.client();
    await sync(client, page("letter"), {
      id: "h",
      type: "heartbeat",
      timestamp: "2026-01-31T13:00:00Z",
      payload: { type: "heartbeat", contextId: "letter" },
    });
    const kept = "SELECT seq, userId, contextId, type, tabId, extensionId, capturedAt, writtenAt, lastSeenAt FROM contexts";
    const before = rowsOf(server.databaseFile, kept);
    await apply(server, filtered);
    expect(rowsOf(server.databaseFile, kept)).toEqual(before);
  });

  it("renews the text that is searched beside HTML, and drops what a level drops", async () => {
    await using server = await startServer();
    const client = await server.client();
    const html = `<h1>Keepers</h1><p>Write to <b>${email}</b> about lamps</p>`;
    const fields = { content: html, contentFormat: "html", metadata: { author: "Grace Keeper", note: email } };
    await sync(client, page("html", fields));
    const texts = () =>
      rowsOf<{ content: string; plainText: string | null; metadata: string }>(server.databaseFile, "SELECT * FROM contexts");
    expect(texts()[0]?.plainText).toContain(email);
    await apply(server, filtered);
    const [row] = texts();
    expect(JSON.stringify(row)).not.toContain("planted");
    expect(row).toMatchObject({ contentFormat: "text", plainText: null });
    expect(await found(client, "keepers lamps")).toEqual(["html"]);
    await apply(server, { PRIVACY_MINIMUM_LEVEL: "restricted" });
    expect(await context(client, "html")).toMatchObject({ content: "", title: "[REDACTED:title]", url: "https://articles.example" });
    expect([await found(client, "lamps"), await found(client, "grace")]).toEqual([[], []]);
  });

  it("may be a category of the operator's file, a user's site rule or a user's deny-list", async () => {
    await using server = await startServer();
    const [client, other] = [await server.client(), await server.client()];
    const messages = [
      page("bank", {}, "https://savings.example/account"),
      page("health", {}, "https://community.example/health/knee"),
      page("named", { privacyLevel: "filtered", content: "Mrs Lovelace keeps the lamp." }),
    ];
    for (const each of [client, other]) await sync(each, ...messages);
    const file = join(server.config.dataDir, "policy.json");
    writeFileSync(file, JSON.stringify({ categories: { banking: { level: "restricted", sites: ["savings.example"] } } }));
    const rules = { siteRules: [{ site: "community.example/health", level: "filtered" }], denyList: ["Lovelace"] };
    expect((await client.putRules(rules)).status).toBe(200);

    const { counts } = await apply(server, { PRIVACY_POLICY_FILE: file });
    expect(counts.raised).toEqual({ public: { filtered: 1, restricted: 2 } });
    expect(counts.redactions).toEqual({ email: 1, denied: 1 });
    for (const each of [client, other]) expect(await context(each, "bank")).toMatchObject({ privacyLevel: "restricted", content: "" });
    expect((await context(client, "health")).privacyLevel).toBe("filtered");
    expect((await context(client, "named")).content).toBe("Mrs [REDACTED:denied] keeps the lamp.");
    expect([await found(client, "lovelace"), await found(client, "lamp")]).toEqual([[], ["named"]]);
    // Another user's rules are none of theirs.
    expect((await context(other, "health")).privacyLevel).toBe("public");
    expect(await found(other, "lovelace")).toEqual(["named"]);
  });

  it("removes what is not captured any more, for good", async () => {
    await using server = await startServer();
    const client = await server.client();
    await sync(client, page("blocked", {}, "https://deep.blocked.example/a"), page("kept"));
    const { counts } = await apply(server, { BLOCKED_SITES: "blocked.example" });
    expect(counts).toMatchObject({ checked: 2, unchanged: 1, removed: { "blocked-site": 1 } });
    expect((await client.get("/context/blocked")).status).toBe(404);
    expect(await found(client, "lighthouses")).toEqual(["kept"]);
    // Not even the message that made it brings it back under a new id.
    const late = { ...page("blocked", {}, "https://elsewhere.example/a"), id: "another", timestamp: "2026-01-31T12:00:00.500Z" };
    await sync(client, late);
    expect((await client.get("/context/blocked")).status).toBe(404);
  });

  it("makes restricted what it cannot filter, and counts it", async () => {
    await using server = await startServer();
    const client = await server.client();
    const restless = `A xylophone${" tick".repeat(40)}, hunter2.`;
    await sync(client, page("restless", { content: restless, privacyLevel: "filtered" }), page("plain", { privacyLevel: "filtered" }));
    // What stands in for the first word makes one of the second, time and again, past the rounds that the filter takes.
    await client.putRules({ denyList: ["xylophone", "] tick"] });
    const { counts } = await apply(server);
    expect(counts).toMatchObject({ unchanged: 1, rewritten: 1, failedClosed: 1, raised: { filtered: { restricted: 1 } } });
    expect(await context(client, "restless")).toMatchObject({ content: "", privacyLevel: "restricted" });
    expect(await found(client, "hunter2")).toEqual([]);
  });

  it("makes restricted what has an address that cannot be read, and removes only for a rule", async () => {
    await using server = await startServer();
    const client = await server.client();
    await sync(client, page("plain"), page("unreadable"), page("strange"));
    await server.close();
    // As a version before might have stored it.
    writeTo(server.databaseFile, "UPDATE contexts SET url = '' WHERE contextId = 'unreadable'");
    writeTo(
      server.databaseFile,
      "UPDATE contexts SET tabMetadata = json_set(tabMetadata, '$.url', 'about:blank') WHERE contextId = 'strange'",
    );
    const { counts } = await apply(server);
    expect(counts).toMatchObject({ unchanged: 1, rewritten: 2, removed: {}, failedClosed: 2, raised: { public: { restricted: 2 } } });
    await server.restart();
    expect(await context(client, "unreadable")).toMatchObject({ url: "https://unknown.invalid", content: "", privacyLevel: "restricted" });
    expect(await found(client, "lighthouses")).toEqual(["plain"]);
    expect((await apply(server, {}, "--all")).counts).toMatchObject({ unchanged: 3, failedClosed: 0 });
    expect((await apply(server, { BLOCKED_SITES: "articles.example" })).counts.removed).toEqual({ "blocked-site": 1 });
  });

  it("reaches what extensions have told: their settings and errors", async () => {
    await using server = await startServer();
    const client = await server.client();
    const timestamp = "2026-01-31T12:00:00Z";
    const [config, error] = [
      { type: "config", config: { theme: "dark", to: email } },
      { type: "error", code: "E1", message: `no ${email}`, details: { email } },
    ];
    await sync(client, { id: "c", type: "config", timestamp, payload: config }, { id: "e", type: "error", timestamp, payload: error });
    const told = () => JSON.stringify([dumpOf(server.databaseFile)["extensions"], dumpOf(server.databaseFile)["extension_errors"]]);
    expect(told()).toContain("planted");
    expect((await apply(server, filtered)).counts).toMatchObject({ configs: 1, errors: 1 });
    expect(told()).not.toContain("planted");
    expect(told()).toContain("dark");
  });
});

describe("a rule that was lowered", () => {
  it("changes nothing that is stored", async () => {
    await using server = await startServer();
    const client = await server.client();
    expect((await client.putRules({ siteRules: [{ site: "articles.example", level: "filtered" }] })).status).toBe(200);
    await sync(client, page("letter"), page("mail", { privacyLevel: "restricted" }));
    const before = dumpOf(server.databaseFile)["contexts"];
    expect((await client.putRules({ siteRules: [{ site: "articles.example", level: "public" }] })).status).toBe(200);
    expect((await apply(server)).counts).toMatchObject({ checked: 2, unchanged: 2, rewritten: 0 });
    expect(dumpOf(server.databaseFile)["contexts"]).toEqual(before);
  });
});

describe("a message that is sent again", () => {
  it("is known after what it made was rewritten, under the new policy and under the old one", async () => {
    await using server = await startServer();
    const client = await server.client();
    const messages = [page("letter"), { ...page("sealed"), type: "create" }, deleteMessage("gone", { messageId: "delete" })];
    await sync(client, ...messages);
    const fingerprints = () => rowsOf<{ fingerprint: string }>(server.databaseFile, "SELECT fingerprint FROM processed_messages");
    const before = fingerprints();
    const { counts } = await apply(server, filtered);
    expect(counts.replayRecords).toBe(3);
    // Type, time and ids alone: the hash of a text that is removed now would tell whoever guesses it.
    expect(fingerprints()).toEqual(before.map(({ fingerprint }) => ({ fingerprint: `${fingerprint.split(".")[0]}..` })));
    for (const policy of [server.config.privacyPolicy, readConfig(filtered).privacyPolicy]) {
      server.config.privacyPolicy = policy;
      await server.restart();
      for (const message of messages) {
        const { status, body } = await client.sync(message);
        expect([status, body.duplicate]).toEqual([201, true]);
      }
      const { body } = await client.sync({ ...messages[0], timestamp: "2026-01-31T12:00:09Z" });
      expect(body.error).toBe("message_id_reused");
    }
    expect((await context(client, "letter")).content).toContain("[REDACTED:email]");
  });

  it("keeps its whole record where the policy is the same", async () => {
    await using server = await startServer();
    const client = await server.client();
    await sync(client, page("letter"));
    expect((await apply(server)).counts.replayRecords).toBe(0);
    const { body } = await client.sync(page("letter", { content: "another text" }));
    expect(body.error).toBe("message_id_reused");
  });
});

describe("a run that has come to its end", () => {
  it("leaves nothing to do until policy or rules change, or all is wanted", async () => {
    await using server = await startServer();
    const client = await server.client();
    await sync(client, page("letter"));
    expect(await apply(server)).toMatchObject({ upToDate: 0, counts: { checked: 1 } });
    expect(await apply(server)).toMatchObject({ users: 1, upToDate: 1, counts: { checked: 0 } });
    expect((await runApply(server, {})).out).toMatch(/^Nothing to do: all contexts of 1 user were checked under this policy\./);
    expect(await apply(server, {}, "--all")).toMatchObject({ upToDate: 0, counts: { checked: 1, unchanged: 1 } });
    expect(await apply(server, filtered)).toMatchObject({ upToDate: 0, counts: { rewritten: 1 } });
    expect(await apply(server, filtered)).toMatchObject({ upToDate: 1 });
    await client.putRules({ denyList: ["spring"] });
    expect(await apply(server, filtered)).toMatchObject({ upToDate: 0, counts: { rewritten: 1, redactions: { denied: 1 } } });
  });

  it("is of one user where only that one is wanted", async () => {
    await using server = await startServer();
    const [client, other] = [await server.client(), await server.client()];
    for (const each of [client, other]) await sync(each, page("letter"));
    expect(await apply(server, filtered, "--user", client.userId)).toMatchObject({ users: 1, counts: { rewritten: 1 } });
    expect((await context(other, "letter")).privacyLevel).toBe("public");
    expect(await apply(server, filtered)).toMatchObject({ users: 2, upToDate: 1, counts: { rewritten: 1 } });
  });

  it("leaves no removed word in any file of the database", async () => {
    await using server = await startServer();
    const client = await server.client();
    for (let count = 0; count < 120; count++) await sync(client, page(`letter-${count}`));
    await apply(server, filtered);
    const words = (dumpOf(server.databaseFile)["words"] ?? []).map(({ term }) => String(term).replace(/^\w+:/, ""));
    expect(words).not.toContain("plant");
    expect(words).toContain("lighthous");
    const files = [server.databaseFile, `${server.databaseFile}-wal`].filter((file) => existsSync(file));
    for (const file of files) expect(readFileSync(file, "latin1")).not.toContain("planted");
  });
});

describe("a dry run", () => {
  it("tells what a run would do and writes nothing at all", async () => {
    await using server = await startServer();
    const client = await server.client();
    await sync(client, page("letter"), page("blocked", {}, "https://blocked.example/a"));
    const env = { ...filtered, BLOCKED_SITES: "blocked.example" };
    await server.close();
    const state = () => ({
      dump: dumpOf(server.databaseFile, { withTimes: true }),
      bytes: createHash("sha256").update(readFileSync(server.databaseFile)).digest("hex"),
    });
    const before = state();
    const told = await apply(server, env, "--dry-run");
    expect(state()).toEqual(before);
    expect(told).toMatchObject({
      isDryRun: true,
      counts: { rewritten: 1, removed: { "blocked-site": 1 }, redactions: { email: 1 }, replayRecords: 2 },
    });
    expect((await apply(server, env)).counts).toEqual(told.counts);
    const { out } = await runApply(server, env, "--dry-run", "--all");
    expect(out).toContain("Nothing was written. A run without --dry-run would do this.\n");
  });
});
