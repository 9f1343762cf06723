import type { FilterPolicy } from "@periscope/privacy";
import { describe, expect } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { createUserFilters } from "../src/privacy/user-filters.js";
import { refilter as runRefilter, type RefilterOptions, type RefilterReport } from "../src/refilter/refilter.service.js";
import { configMessage, createMessage, deleteMessage, errorMessage, heartbeat, updateMessage } from "./messages.js";
import type { TestClient } from "./test-client.js";
import { type TestServer, withOwnServer as it } from "./test-server.js";

interface RunOptions extends Partial<Pick<RefilterOptions, "userId" | "isDryRun" | "startOver">> {
  /** Ends the run after this many pages. */
  stopAfter?: number;
  /** What happens before the commit of this number; the first one stores the fresh progress. */
  before?: { commit: number; happens: () => Promise<unknown> };
}

/** Filters what a server has stored again under a policy, as `periscope privacy apply` does, in this process. */
async function refilter(server: TestServer, policy: FilterPolicy = {}, options: RunOptions = {}): Promise<RefilterReport> {
  const { stopAfter = Infinity, before, ...rest } = options;
  await using storage = await server.openStorage();
  let commits = 0;
  let pages = 0;
  const userData: RefilterOptions["userData"] = {
    async commit(userId, changes) {
      if (++commits === before?.commit) await before.happens();
      return await storage.userData.commit(userId, changes);
    },
  };
  return await runRefilter({
    store: storage.refilter,
    userData,
    access: storage.access,
    filters: createUserFilters({ rules: storage.rules, operator: policy, version: manifest.version, onFailedClosed: () => {} }),
    clock: Date.now,
    scrub: () => storage.scrub({ rebuild: true }),
    isDryRun: false,
    startOver: false,
    onProgress: () => {},
    isStopped: () => pages++ >= stopAfter,
    ...rest,
  });
}

const filtered = { minimumLevel: "filtered" } as const;
const word = "Zaphodia";
/** Removes the word at every level. */
const strict = { patterns: [{ kind: "name", pattern: word, from: "public" }] } as const;

const email = "ada.planted@mail.example";
const letter = `A letter about lighthouses, written to ${email} in spring.`;

function page(id: string, fields: Record<string, unknown> = {}, url = "https://articles.example/reading") {
  const tabMetadata = { id: "7", url, title: "Lighthouses" };
  return createMessage({ messageId: `message-${id}`, context: { id, content: letter, privacyLevel: "public", tabMetadata, ...fields } });
}

/** Contexts of two pages of a run. */
const plain = Array.from({ length: 80 }, (_, index) => page(`page-${index}`, { content: "Only lighthouses." }));
/** A newer message that changes the first of them. */
const changed = () => updateMessage("page-0", { content: `Changed by ${word}.` });

async function sync(client: TestClient, ...messages: unknown[]): Promise<void> {
  expect((await client.batch(messages)).body.failed).toBe(0);
}

async function found(client: TestClient, query: string): Promise<string[]> {
  const { body } = await client.get(`/context/search?query=${encodeURIComponent(query)}`);
  return body.results.map(({ contextId }: { contextId: string }) => contextId).toSorted();
}

const context = async (client: TestClient, id: string) => (await client.get(`/context/${id}`)).body;

/** Starts the server again under another policy. */
async function serveUnder(server: TestServer, policy: FilterPolicy): Promise<void> {
  server.config.privacyPolicy = policy;
  await server.restart();
}

describe("a policy that became stricter", () => {
  it("rewrites level, text and search index, and keeps times, ids and order", async ({ server, client }) => {
    await sync(client, page("letter"), page("plain", { content: "Only lighthouses." }), heartbeat("letter", "2026-01-31T13:00:00Z"));
    const columns = `seq, "contextId", type, "tabId", "extensionId", "capturedAt", "writtenAt", "viewedAt", "lastSeenAt"`;
    const kept = () => server.rows(`SELECT ${columns} FROM contexts ORDER BY seq`);
    const before = await kept();
    expect(await found(client, "planted")).toEqual(["letter"]);
    const { counts, ...report } = await refilter(server, filtered);
    expect(report).toEqual({ users: 1, upToDate: 0, disturbed: 0, isDryRun: false, isStopped: false });
    expect(counts).toMatchObject({ checked: 2, unchanged: 0, rewritten: 2, removed: {}, redactions: { email: 1 }, failedClosed: 0 });
    expect(counts.raised).toEqual({ public: { filtered: 2 } });
    const content = "A letter about lighthouses, written to [REDACTED:email] in spring.";
    expect(await context(client, "letter")).toMatchObject({ content, privacyLevel: "filtered" });
    expect([await found(client, "planted"), await found(client, "lighthouses")]).toEqual([[], ["letter", "plain"]]);
    expect(await kept()).toEqual(before);
  });

  it("ends reading on, since the content is another", async ({ server, client }) => {
    await sync(client, page("letter"));
    const { nextContentCursor } = (await client.get("/context/letter?maxChars=10")).body;
    await refilter(server, filtered);
    const next = await client.get(`/context/letter?contentCursor=${nextContentCursor}`);
    expect(next).toMatchObject({ status: 400, body: { message: expect.stringContaining("changed") } });
  });

  it("renews the text searched beside HTML, and drops what the level drops", async ({ server, client }) => {
    const html = `<h1>Keepers</h1><p>Write to <b>${email}</b> about lamps</p>`;
    await sync(client, page("html", { content: html, contentFormat: "html", metadata: { author: "Grace Keeper", note: email } }));
    await refilter(server, filtered);
    const [row] = await server.rows("SELECT * FROM contexts");
    expect(JSON.stringify(row)).not.toContain("planted");
    expect(row).toMatchObject({ contentFormat: "text", plainText: null });
    expect(await found(client, "keepers lamps")).toEqual(["html"]);
    await refilter(server, { minimumLevel: "restricted" });
    expect(await context(client, "html")).toMatchObject({ content: "", title: "[REDACTED:title]", url: "https://articles.example" });
    expect([await found(client, "lamps"), await found(client, "grace")]).toEqual([[], []]);
  });

  it("includes the operator's categories, and a user's site rules and deny-list", async ({ server, client }) => {
    const other = await server.client();
    const named = { privacyLevel: "filtered", content: "Mrs Lovelace keeps the lamp." };
    const messages = [page("bank", {}, "https://savings.example/"), page("health", {}, "https://knee.example/"), page("named", named)];
    for (const each of [client, other]) await sync(each, ...messages);
    await client.putRules({ siteRules: [{ site: "knee.example", level: "filtered" }], denyList: ["Lovelace"] });
    const { counts } = await refilter(server, { categories: { banking: { level: "restricted", sites: ["savings.example"] } } });
    expect(counts).toMatchObject({ raised: { public: { filtered: 1, restricted: 2 } }, redactions: { email: 1, denied: 1 } });
    for (const each of [client, other]) expect(await context(each, "bank")).toMatchObject({ privacyLevel: "restricted", content: "" });
    expect((await context(client, "named")).content).toBe("Mrs [REDACTED:denied] keeps the lamp.");
    const levels = [await context(client, "health"), await context(other, "health")].map(({ privacyLevel }) => privacyLevel);
    expect([levels, await found(client, "lovelace"), await found(other, "lovelace")]).toEqual([["filtered", "public"], [], ["named"]]);
  });

  it("permanently removes contexts of sites that are blocked now", async ({ server, client }) => {
    await sync(client, page("blocked", {}, "https://deep.blocked.example/a"), page("kept"));
    const { counts } = await refilter(server, { blockedSites: ["blocked.example"] });
    expect(counts).toMatchObject({ checked: 2, unchanged: 1, removed: { "blocked-site": 1 } });
    expect(await found(client, "lighthouses")).toEqual(["kept"]);
    await sync(client, { ...page("blocked"), id: "another", timestamp: "2026-01-31T12:00:00.500Z" });
    expect((await client.get("/context/blocked")).status).toBe(404);
  });

  it("restricts contexts that cannot be filtered or read, and counts them", async ({ server, client }) => {
    // The placeholder of the first word forms the second one, again and again.
    const restless = { content: `A xylophone${" tick".repeat(40)}, hunter2.`, privacyLevel: "filtered" };
    await sync(client, page("restless", restless), page("plain"), page("unreadable"), page("strange"));
    await client.putRules({ denyList: ["xylophone", "] tick"] });
    await server.rows(`UPDATE contexts SET url = '' WHERE "contextId" = 'unreadable'`);
    const [row] = await server.rows<{ tabMetadata: string }>(`SELECT "tabMetadata" FROM contexts WHERE "contextId" = 'strange'`);
    const tab = JSON.stringify({ ...JSON.parse(row!.tabMetadata), url: "about:blank" });
    await server.rows(`UPDATE contexts SET "tabMetadata" = ? WHERE "contextId" = 'strange'`, tab);
    const { counts } = await refilter(server);
    expect(counts).toMatchObject({ unchanged: 1, rewritten: 3, removed: {}, failedClosed: 3 });
    expect(counts.raised).toEqual({ filtered: { restricted: 1 }, public: { restricted: 2 } });
    expect(await context(client, "restless")).toMatchObject({ content: "", privacyLevel: "restricted" });
    expect(await context(client, "unreadable")).toMatchObject({ url: "https://unknown.invalid", content: "", privacyLevel: "restricted" });
    expect(await found(client, "lighthouses")).toEqual(["plain"]);
  });
});

describe("replay records", () => {
  it("recognise a message after its context was rewritten, under either policy", async ({ server, client }) => {
    const messages = [page("letter"), page("sealed"), deleteMessage("gone", { messageId: "delete" })];
    await sync(client, ...messages);
    const fingerprints = () => server.rows<{ fingerprint: string }>(`SELECT fingerprint FROM processed_messages ORDER BY "messageId"`);
    const before = await fingerprints();
    expect((await refilter(server, filtered)).counts.replayRecords).toBe(3);
    // The hash of a text that is removed now would confirm a guess.
    expect(await fingerprints()).toEqual(before.map(({ fingerprint }) => ({ fingerprint: `${fingerprint.split(".")[0]}..` })));
    for (const policy of [{}, filtered]) {
      await serveUnder(server, policy);
      for (const message of messages) expect((await client.sync(message)).body).toMatchObject({ status: "success", duplicate: true });
      expect((await client.sync({ ...messages[0], timestamp: "2026-01-31T12:00:09Z" })).body.error).toBe("message_id_reused");
    }
    expect((await context(client, "letter")).content).toContain("[REDACTED:email]");
  });

  it("stay whole where the policy is the same", async ({ server, client }) => {
    await sync(client, page("letter"));
    expect((await refilter(server)).counts.replayRecords).toBe(0);
    expect((await client.sync(page("letter", { content: "another text" }))).body.error).toBe("message_id_reused");
  });
});

it("leaves nothing to do until policy or rules change, or it starts over", async ({ server, client }) => {
  await sync(client, page("letter"));
  expect(await refilter(server)).toMatchObject({ upToDate: 0, counts: { checked: 1 } });
  expect(await refilter(server)).toMatchObject({ users: 1, upToDate: 1, counts: { checked: 0 } });
  expect(await refilter(server, {}, { startOver: true })).toMatchObject({ upToDate: 0, counts: { checked: 1, unchanged: 1 } });
  const { userId } = client;
  const other = await server.client();
  await sync(other, page("letter"));
  expect(await refilter(server, filtered, { userId })).toMatchObject({ users: 1, upToDate: 0, counts: { rewritten: 1 } });
  expect((await context(other, "letter")).privacyLevel).toBe("public");
  expect(await refilter(server, filtered)).toMatchObject({ users: 2, upToDate: 1, counts: { rewritten: 1 } });
  await client.putRules({ denyList: ["spring"] });
  expect(await refilter(server, filtered)).toMatchObject({ upToDate: 1, counts: { rewritten: 1, redactions: { denied: 1 } } });
});

it("counts in a dry run what a run would do, and writes nothing", async ({ server, client }) => {
  await sync(client, page("letter"), page("blocked", {}, "https://blocked.example/a"));
  const policy = { ...strict, ...filtered, blockedSites: ["blocked.example"] };
  const tables = ["contexts", "processed_messages", "privacy_progress", "tombstones"];
  const state = () => Promise.all(tables.map((table) => server.rows(`SELECT * FROM ${table}`)));
  const before = await state();
  const dry = await refilter(server, policy, { isDryRun: true });
  expect(await state()).toEqual(before);
  expect(dry).toMatchObject({ isDryRun: true, counts: { rewritten: 1, removed: { "blocked-site": 1 }, replayRecords: 2 } });
  expect((await refilter(server, policy)).counts).toEqual(dry.counts);

  await sync(client, ...plain);
  const { counts } = await refilter(server, strict, { stopAfter: 1 });
  expect(counts.checked).toBeGreaterThan(0);
  expect((await refilter(server, strict, { isDryRun: true })).counts.checked).toBe(plain.length + 1 - counts.checked);
  expect((await refilter(server, strict)).counts.checked).toBe(plain.length + 1);
});

describe("data stored under another policy meanwhile is filtered again", () => {
  it("after rules were set, taken back and set again", async ({ server, client }) => {
    const named = (id: string) => page(id, { content: `A letter from ${word}.`, privacyLevel: "filtered" });
    await client.putRules({ denyList: [word] });
    await sync(client, named("first"));
    await refilter(server);
    await client.putRules({});
    await sync(client, named("second"));
    expect(await found(client, word)).toEqual(["second"]);
    await client.putRules({ denyList: [word] });
    expect(await refilter(server)).toMatchObject({ upToDate: 0, counts: { checked: 2, rewritten: 1 } });
    expect(await found(client, word)).toEqual([]);
    expect(await refilter(server)).toMatchObject({ upToDate: 1 });
  });

  it("after the operator's policy was relaxed and made strict again", async ({ server, client }) => {
    await serveUnder(server, strict);
    await sync(client, page("first"));
    await refilter(server, strict);
    await serveUnder(server, {});
    const messages = [page("second", { content: word }), configMessage("c", 0, { owner: word }), errorMessage("E1", { message: word })];
    await sync(client, ...messages);
    expect(await refilter(server, strict)).toMatchObject({ upToDate: 0, counts: { rewritten: 1, configs: 1, errors: 1 } });
    expect(await found(client, word)).toEqual([]);
    const kept = [await server.rows("SELECT config FROM extensions"), await server.rows("SELECT message FROM extension_errors")];
    expect(JSON.stringify(kept)).not.toContain(word);
    expect(await refilter(server, strict)).toMatchObject({ upToDate: 1 });
  });

  it("also where a stopped run had been", async ({ server, client }) => {
    await sync(client, ...plain);
    expect(await refilter(server, strict, { stopAfter: 1 })).toMatchObject({ isStopped: true });
    await sync(client, changed());
    await refilter(server, strict);
    expect((await context(client, "page-0")).content).toBe("Changed by [REDACTED:name].");
  });
});

describe("beside a server", () => {
  it("applies rules that are set during a run to everything", async ({ server, client }) => {
    const told = (index: number) => page(`page-${index}`, { content: `Lighthouse, told by ${email}.` });
    await sync(client, ...Array.from({ length: 80 }, (_, index) => told(index)));
    const siteRules = [{ site: "articles.example", level: "filtered" }];
    await client.putRules({ siteRules });
    const happens = async () => {
      expect((await context(client, "page-0")).content).toBe("Lighthouse, told by [REDACTED:email].");
      expect((await client.putRules({ siteRules, denyList: ["told"] })).status).toBe(200);
    };
    const report = await refilter(server, {}, { before: { commit: 3, happens } });
    expect(report).toMatchObject({ disturbed: 0, isStopped: false });
    for (const id of ["page-0", "page-79"])
      expect((await context(client, id)).content).toBe("Lighthouse, [REDACTED:denied] by [REDACTED:email].");
    expect(await refilter(server)).toMatchObject({ users: 1, upToDate: 1 });
  });

  it("filters a context again that changes while its page is committed", async ({ server, client }) => {
    await serveUnder(server, strict);
    await sync(client, ...plain);
    const happens = () => sync(client, updateMessage("page-0", { content: "Changed." }), heartbeat("page-1", "2026-01-31T15:00:00Z"));
    const report = await refilter(server, { ...strict, ...filtered }, { before: { commit: 2, happens } });
    expect(report).toMatchObject({ disturbed: 1, counts: { checked: 80, rewritten: 80 } });
    expect(await context(client, "page-0")).toMatchObject({ content: "Changed.", privacyLevel: "filtered" });
    expect(await context(client, "page-1")).toMatchObject({ viewedAt: "2026-01-31T15:00:00.000Z", privacyLevel: "filtered" });
  });

  it("reports users whose data a server stored under another policy", async ({ server, client }) => {
    await sync(client, ...plain);
    const report = await refilter(server, strict, { before: { commit: 3, happens: () => sync(client, changed()) } });
    expect(report).toMatchObject({ disturbed: 1, isStopped: false, counts: { checked: 80 } });
    expect(await found(client, word)).toEqual(["page-0"]);
    expect(await refilter(server, strict)).toMatchObject({ upToDate: 0, disturbed: 0, counts: { checked: 80, rewritten: 1 } });
    expect(await refilter(server, strict)).toMatchObject({ upToDate: 1 });
  });

  it("does not take the progress of another run for its own", async ({ server, client }) => {
    // Settings without a context: all progress looks alike.
    const settings = Array.from({ length: 24 }, (_, index) => configMessage(`c${index}`, 0, {}, String.fromCharCode(97 + index)));
    await sync(client, ...settings);
    const happens = async () => {
      await sync(client, configMessage("newer", 60, { owner: word }, "a"));
      await refilter(server, strict, { stopAfter: 0 });
    };
    await refilter(server, strict, { before: { commit: 3, happens } });
    await refilter(server, strict);
    expect(JSON.stringify(await server.rows("SELECT config FROM extensions"))).not.toContain(word);
  });

  it("leaves work to the next run when runs under two policies meet", async ({ server, client }) => {
    await sync(client, ...plain);
    const happens = () => refilter(server, {}, { stopAfter: 1 }).then(() => sync(client, changed()));
    expect(await refilter(server, strict, { before: { commit: 3, happens } })).toMatchObject({ disturbed: 1 });
    expect(await server.rows("SELECT * FROM privacy_progress")).toEqual([]);
    await refilter(server, strict);
    expect(await found(client, word)).toEqual([]);
  });
});
