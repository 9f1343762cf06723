import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readConfig } from "../src/config/config.js";
import { createApplyService } from "../src/privacy-apply/apply.service.js";
import type { ApplyStore } from "../src/privacy-apply/apply.store.js";
import { createUserFilters } from "../src/privacy/user-filters.js";
import { openStorage } from "../src/storage/open-storage.js";
import manifest from "../package.json" with { type: "json" };
import { apply, runApply } from "./apply-command.js";
import { createMessage, updateMessage } from "./messages.js";
import type { TestClient } from "./test-client.js";
import { TestServer } from "./test-server.js";

/** A server under the policy that nothing is set for. */
const startServer = () => TestServer.start({ privacyPolicy: readConfig({}).privacyPolicy });

const word = "Zaphodia";
const page = (id: string, content = `A letter from ${word} about lighthouses.`) =>
  createMessage({ messageId: `message-${id}`, context: { id, content, privacyLevel: "filtered" } });

/** Contexts that take a run two slices. */
const plain = Array.from({ length: 80 }, (_, index) => page(`page-${index}`, "Only lighthouses."));

async function sync(client: TestClient, ...messages: unknown[]): Promise<void> {
  expect((await client.batch(messages)).body.failed).toBe(0);
}

const foundWith = async (client: TestClient) => (await client.get(`/context/search?query=${word}`)).body.total as number;

/** Settings of the operator under which the word goes at every level. */
function strictOn(server: TestServer): Record<string, string> {
  const file = join(server.config.dataDir, "policy.json");
  writeFileSync(file, JSON.stringify({ patterns: [{ kind: "name", pattern: word, from: "public" }] }));
  return { PRIVACY_POLICY_FILE: file };
}

async function serveUnder(server: TestServer, env: Record<string, string>): Promise<void> {
  server.config.privacyPolicy = readConfig(env).privacyPolicy;
  await server.restart();
}

interface Interference {
  /** Ends the run after this many slices. */
  stopAfter?: number;
  /** What happens before the transaction of this number. */
  before?: { transaction: number; happens: () => Promise<void> };
}

/** A run in this process, so that it can be stopped and disturbed at a known place. */
async function applyWith(server: TestServer, env: Record<string, string>, { stopAfter = Infinity, before }: Interference) {
  await using storage = await openStorage(server.config);
  let transactions = 0;
  const store: ApplyStore = {
    ...storage.apply,
    async transact(userId, work) {
      if (++transactions === before?.transaction) await before.happens();
      return await storage.apply.transact(userId, work);
    },
  };
  const operator = readConfig(env).privacyPolicy;
  let slices = 0;
  const service = createApplyService({
    store,
    access: storage.access,
    filters: createUserFilters({ rules: storage.rules, operator, version: manifest.version, onFailedClosed: () => {} }),
    clock: Date.now,
  });
  return await service.apply({ isDryRun: false, startOver: false, onProgress: () => {}, isStopped: () => slices++ >= stopAfter });
}

describe("what was stored under another policy in between is filtered again", () => {
  it("after rules that were set, taken back and set again", async () => {
    await using server = await startServer();
    const client = await server.client();
    await client.putRules({ denyList: [word] });
    await sync(client, page("first"));
    await apply(server);
    await client.putRules({});
    await sync(client, page("second"));
    expect(await foundWith(client)).toBe(1);
    await client.putRules({ denyList: [word] });
    expect(await apply(server)).toMatchObject({ upToDate: 0, counts: { checked: 2, rewritten: 1 } });
    expect(await foundWith(client)).toBe(0);
    expect(await apply(server)).toMatchObject({ upToDate: 1 });
  });

  it("after settings of the operator that were lowered and raised again", async () => {
    await using server = await startServer();
    const client = await server.client();
    const strict = strictOn(server);
    await serveUnder(server, strict);
    await sync(client, page("first"));
    await apply(server, strict);
    await serveUnder(server, {});
    const timestamp = "2026-01-31T12:00:00Z";
    await sync(
      client,
      page("second"),
      { id: "c", type: "config", timestamp, payload: { type: "config", config: { owner: word } } },
      { id: "e", type: "error", timestamp, payload: { type: "error", code: "E1", message: `no ${word}` } },
    );
    await serveUnder(server, strict);
    expect(await apply(server, strict)).toMatchObject({ upToDate: 0, counts: { rewritten: 1, configs: 1, errors: 1 } });
    expect(await foundWith(client)).toBe(0);
    const told = await server.rows("SELECT config FROM extensions UNION SELECT message FROM extension_errors");
    expect(JSON.stringify(told)).not.toContain(word);
    expect(await apply(server, strict)).toMatchObject({ upToDate: 1 });
  });

  it("also where a run that was stopped had been already", async () => {
    await using server = await startServer();
    const client = await server.client();
    await client.putRules({ denyList: [word] });
    await sync(client, ...plain);
    expect(await applyWith(server, {}, { stopAfter: 1 })).toMatchObject({ isStopped: true });
    await client.putRules({});
    await sync(client, updateMessage("page-0", { content: `Changed by ${word}.` }));
    await client.putRules({ denyList: [word] });
    await apply(server);
    expect(await foundWith(client)).toBe(0);
    expect((await client.get("/context/page-0")).body.content).toBe("Changed by [REDACTED:denied].");
  });
});

it("rules that a user sets during a run hold for all that is stored, also where the run has been already", async () => {
  await using server = await startServer();
  const client = await server.client();
  const letter = (index: number) =>
    createMessage({
      context: { id: `page-${index}`, content: `Lighthouse ${index}, told by keeper@mail.example.`, privacyLevel: "public" },
    });
  await sync(client, ...Array.from({ length: 80 }, (_, index) => letter(index)));
  const siteRules = [{ site: "articles.example", level: "filtered" }];
  await client.putRules({ siteRules });
  const happens = async () => {
    expect((await client.get("/context/page-0")).body.content).toBe("Lighthouse 0, told by [REDACTED:email].");
    expect((await client.putRules({ siteRules, denyList: ["told"] })).status).toBe(200);
  };
  expect(await applyWith(server, {}, { before: { transaction: 3, happens } })).toMatchObject({ disturbed: 0, isStopped: false });
  expect((await client.get("/context/search?query=told")).body.total).toBe(0);
  for (const id of ["page-0", "page-79"])
    expect((await client.get(`/context/${id}`)).body.content).toMatch(/^Lighthouse \d+, \[REDACTED:denied\] by \[REDACTED:email\]\.$/);
  expect(await apply(server)).toMatchObject({ users: 1, upToDate: 1 });
});

describe("a run beside a server under another policy", () => {
  it("comes to its end, tells it, and does not say the next time that nothing is left to do", async () => {
    await using server = await startServer();
    const client = await server.client();
    const strict = strictOn(server);
    await sync(client, ...plain);
    // Where the run has been already.
    const happens = () => sync(client, updateMessage("page-0", { content: `Changed by ${word}.` }));
    const report = await applyWith(server, strict, { before: { transaction: 3, happens } });
    expect(report).toMatchObject({ disturbed: 1, isStopped: false, counts: { checked: 80 } });
    expect(await foundWith(client)).toBe(1);
    expect(await apply(server, strict)).toMatchObject({ upToDate: 0, disturbed: 0, counts: { checked: 80, rewritten: 1 } });
    expect(await foundWith(client)).toBe(0);
    expect(await apply(server, strict)).toMatchObject({ upToDate: 1 });
  });

  it("does not take the place of another that has begun meanwhile", async () => {
    await using server = await startServer();
    const client = await server.client();
    const strict = strictOn(server);
    // Settings without a single context: all progress looks alike.
    const config = (id: string, owner: string, timestamp: string) => ({
      id,
      extensionId: id.slice(0, 1),
      type: "config",
      timestamp,
      payload: { type: "config", config: { owner } },
    });
    const early = "2026-01-31T12:00:00Z";
    await sync(client, ...Array.from({ length: 24 }, (_, index) => config(`${String.fromCharCode(97 + index)}1`, "none", early)));
    // Between two pages of settings, one of the first page is set anew, and a run begins that is stopped at once.
    const happens = async () => {
      await sync(client, config("a2", word, "2026-01-31T13:00:00Z"));
      await applyWith(server, strict, { stopAfter: 0 });
    };
    await applyWith(server, strict, { before: { transaction: 3, happens } });
    await apply(server, strict);
    expect(JSON.stringify(await server.rows("SELECT config FROM extensions"))).not.toContain(word);
  });

  it("is at odds with a run under that policy: neither says that nothing is left to do", async () => {
    await using server = await startServer();
    const client = await server.client();
    const strict = strictOn(server);
    await sync(client, ...plain);
    const happens = async () => {
      // Its place is noted in place of the first one's, so that the server has nothing to forget.
      await applyWith(server, {}, { stopAfter: 1 });
      await sync(client, updateMessage("page-0", { content: `Changed by ${word}.` }));
    };
    expect(await applyWith(server, strict, { before: { transaction: 3, happens } })).toMatchObject({ disturbed: 1 });
    expect(await server.rows("SELECT * FROM privacy_progress")).toEqual([]);
    await apply(server, strict);
    expect(await foundWith(client)).toBe(0);
  });

  it("is a failure of the command, which says what to do", async () => {
    await using server = await startServer();
    const client = await server.client();
    const strict = strictOn(server);
    await sync(client, ...plain);
    let isOver = false;
    const run = runApply(server, strict).finally(() => (isOver = true));
    for (let count = 0; !isOver; count++) await sync(client, { ...page(`more-${count}`), id: `more-${count}` });
    const { code, err } = await run;
    expect(code).toBe(1);
    expect(err).toMatch(/^Contexts of 1 user were stored under another policy meanwhile\. Restart the server with .* again\.$/m);
  });
});

it("a dry run after a run that was stopped counts what is left to do, and not what was done", async () => {
  await using server = await startServer();
  const client = await server.client();
  await sync(client, ...plain);
  const strict = strictOn(server);
  const { counts } = await applyWith(server, strict, { stopAfter: 1 });
  expect(counts.checked).toBeGreaterThan(0);
  expect((await apply(server, strict, "--dry-run")).counts.checked).toBe(plain.length - counts.checked);
  expect((await apply(server, strict)).counts.checked).toBe(plain.length);
});
