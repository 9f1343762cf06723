import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { allScopes } from "../src/access/access.store.js";
import { createSyncService } from "../src/contexts/sync.service.js";
import { createMetrics } from "../src/metrics/metrics.js";
import { createUserFilters } from "../src/privacy/user-filters.js";
import { engineOf } from "../src/storage/engine.js";
import type { ServerTasks } from "../src/worker.js";
import { WorkerPool } from "../src/workers/worker-pool.js";
import { createMessage, updateMessage } from "./messages.js";
import { createTestDatabase } from "./test-database.js";

const userId = "ada";
const none = { blockedSites: [], siteRules: [], denyList: [] };
const start = Date.UTC(2026, 0, 31, 12);

type Place = "load" | "commit";

/** The sync service over a database of its own, with places where the test can come between. */
async function setUp() {
  const directory = mkdtempSync(join(tmpdir(), "periscope-rules-"));
  const database = await createTestDatabase(directory);
  const storage = await engineOf(database.url).open({ searchTimeoutMs: 60_000 });
  const pool = new WorkerPool<ServerTasks>(2);
  await storage.access.createUser(userId, start);
  /** What happens once, before the next load or commit. */
  const before: Partial<Record<Place, () => Promise<unknown>>> = {};
  const calls = { load: 0, commit: 0 };
  const comeBetween = async (place: Place) => {
    calls[place]++;
    const happens = before[place];
    delete before[place];
    await happens?.();
  };
  const sync = createSyncService({
    store: {
      async load(...given) {
        await comeBetween("load");
        return await storage.userData.load(...given);
      },
      textBytes: (...given) => storage.userData.textBytes(...given),
      async commit(...given) {
        await comeBetween("commit");
        return await storage.userData.commit(...given);
      },
    },
    filters: createUserFilters({
      rules: storage.rules,
      operator: {},
      version: "1.0.0",
      onFailedClosed: () => expect.unreachable("nothing fails here"),
    }),
    pool,
    metrics: createMetrics("1.0.0"),
    clock: () => start,
  });
  const principal = { userId, keyId: "key", scopes: new Set(allScopes), maxPrivacyLevel: "restricted" } as const;
  return {
    storage,
    before,
    calls,
    send: (...messages: unknown[]) => sync.batch(principal, { id: "batch", type: "batch", messages }),
    contentOf: async (contextId: string) => (await storage.contexts.find({ userId, maxPrivacyLevel: "restricted" }, contextId))?.content,
    async [Symbol.asyncDispose]() {
      await pool[Symbol.asyncDispose]();
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

it.each(["load", "commit"] as const)("applies rules that are set before the %s of a sync", async (place) => {
  await using world = await setUp();
  const { storage, before } = world;
  before[place] = () => storage.rules.replace(userId, { ...none, denyList: ["Quill Vandermeer"], blockedSites: ["diary.example"] }, start);
  const sent = await world.send(page("a", "https://diary.example/"), page("b", "https://wiki.example/"));
  expect(sent).toMatchObject({ synced: 1, failed: 1, results: [{ error: { code: "privacy_rejected" } }, { status: "success" }] });
  expect([await world.contentOf("a"), await world.contentOf("b")]).toEqual([undefined, "[REDACTED:denied] wrote it."]);
});

it("applies the rules of a user who was deleted and created again during a sync", async () => {
  await using world = await setUp();
  const { storage, before } = world;
  await storage.rules.replace(userId, { ...none, denyList: ["somebody else"] }, start);
  before.load = async () => {
    await storage.access.deleteUser(userId);
    await storage.access.createUser(userId, start + 1);
    await storage.rules.replace(userId, { ...none, denyList: ["Quill Vandermeer"] }, start + 1);
  };
  await world.send(page("a", "https://wiki.example/"));
  expect(await world.contentOf("a")).toBe("[REDACTED:denied] wrote it.");
});

it("works changes out again when another process changes the data meanwhile", async () => {
  await using world = await setUp();
  const { storage, before, calls } = world;
  await world.send(page("a", "https://wiki.example/"));
  before.commit = () => storage.contexts.remove({ userId, maxPrivacyLevel: "restricted" }, "a", start);
  const update = updateMessage("a", { title: "New" }, { timestamp: "2026-01-31T12:00:09Z" });
  expect(await world.send(update)).toMatchObject({ failed: 1, results: [{ error: { code: "not_found" } }] });
  expect(calls).toEqual({ load: 3, commit: 3 });
});

it("is unauthorized when the user was deleted meanwhile", async () => {
  await using world = await setUp();
  world.before.load = () => world.storage.access.deleteUser(userId);
  await expect(world.send(page("a", "https://wiki.example/"))).rejects.toMatchObject({ code: "unauthorized" });
});
