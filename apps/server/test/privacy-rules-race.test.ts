import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { allScopes } from "../src/access/scope.js";
import { createPreparer } from "../src/contexts/preparer.js";
import { createSyncService } from "../src/contexts/sync.service.js";
import { createMetrics } from "../src/metrics/metrics.js";
import { createUserFilters } from "../src/privacy/user-filters.js";
import { openStorage } from "../src/storage/open-storage.js";
import { createMessage } from "./messages.js";
import { createTestDatabase } from "./test-database.js";

const userId = "ada";
const none = { blockedSites: [], siteRules: [], denyList: [] };
const start = Date.UTC(2026, 0, 31, 12);

/** The services over a database of their own, with one place where the test can come between. */
async function setUp() {
  const directory = mkdtempSync(join(tmpdir(), "periscope-rules-"));
  const database = await createTestDatabase(directory);
  const storage = await openStorage({ databaseUrl: database.url, searchTimeoutMs: 1000 });
  await storage.access.createUser(userId, start);
  /** What is done, once, when messages have been filtered and are about to be written. */
  const between: Array<() => Promise<unknown>> = [];
  let writes = 0;
  const onFailedClosed = () => expect.unreachable("nothing fails here");
  const sync = createSyncService({
    store: {
      async transact(user, work) {
        writes++;
        await between.shift()?.();
        return await storage.sync.transact(user, work);
      },
    },
    filters: createUserFilters({ rules: storage.rules, operator: {}, version: "1.0.0", onFailedClosed }),
    preparer: createPreparer(0),
    metrics: createMetrics("1.0.0"),
    clock: () => start,
    newContextId: () => expect.unreachable("the messages name their contexts"),
  });
  const principal = { userId, keyId: "key", scopes: new Set(allScopes), maxPrivacyLevel: "restricted" } as const;
  return {
    storage,
    between,
    writes: () => writes,
    send: (...messages: unknown[]) => sync.batch(principal, { id: "batch", type: "batch", messages }),
    contentOf: async (contextId: string) => (await storage.contexts.find({ userId, maxPrivacyLevel: "restricted" }, contextId))?.content,
    async [Symbol.asyncDispose]() {
      await storage[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

const page = (id: string, url: string) =>
  createMessage({
    context: { id, content: "Quill Vandermeer wrote it.", privacyLevel: "filtered", tabMetadata: { id: "7", url, title: "A page" } },
  });

it("rules that are set when messages have been filtered and not yet written hold for them", async () => {
  await using world = await setUp();
  const { storage, between } = world;
  between.push(() => storage.rules.replace(userId, { ...none, denyList: ["Quill Vandermeer"], blockedSites: ["diary.example"] }, start));
  const sent = await world.send(page("a", "https://diary.example/"), page("b", "https://wiki.example/"));
  expect(sent).toMatchObject({ synced: 1, failed: 1, results: [{ error: { code: "privacy_rejected" } }, { status: "success" }] });
  expect([await world.contentOf("a"), await world.contentOf("b")]).toEqual([undefined, "[REDACTED:denied] wrote it."]);
  expect([between.length, world.writes()]).toEqual([0, 2]);
  await world.send(page("c", "https://wiki.example/"));
  expect(world.writes()).toBe(3);
});

it("so do those of a user who is made anew under the id meanwhile, whose rules have the version of those before", async () => {
  await using world = await setUp();
  const { storage, between } = world;
  await storage.rules.replace(userId, { ...none, denyList: ["somebody else"] }, start);
  between.push(async () => {
    await storage.access.deleteUser(userId);
    await storage.access.createUser(userId, start + 1);
    await storage.rules.replace(userId, { ...none, denyList: ["Quill Vandermeer"] }, start + 1);
  });
  await world.send(page("a", "https://wiki.example/"));
  expect(await world.contentOf("a")).toBe("[REDACTED:denied] wrote it.");
  expect([between.length, world.writes()]).toEqual([0, 2]);
});
