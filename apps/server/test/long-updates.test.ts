import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { allScopes } from "../src/access/access.store.js";
import { type FilterTask, runFilterTask } from "../src/contexts/filter-task.js";
import { createSyncService } from "../src/contexts/sync.service.js";
import { createMetrics } from "../src/metrics/metrics.js";
import { createUserFilters } from "../src/privacy/user-filters.js";
import { engineOf } from "../src/storage/engine.js";
import { createMessage, updateMessage } from "./messages.js";
import { createTestDatabase } from "./test-database.js";
import { TestServer } from "./test-server.js";

const long = "harbour ".repeat(20_000);
const mebibyte = "harbour ".repeat(131_072);
const titles = (id: string) => Array.from({ length: 100 }, (_, number) => updateMessage(id, { title: `Title${number}` }));

/** A sync service that keeps what it gives to worker threads. */
async function openSync() {
  const folder = mkdtempDisposableSync(join(tmpdir(), "periscope-updates-"));
  const database = await createTestDatabase(folder.path);
  const storage = await engineOf(database.url).open({ searchTimeoutMs: 60_000 });
  const userId = "ada";
  await storage.access.createUser(userId, Date.now());
  const given: FilterTask["input"]["items"][number][] = [];
  const sync = createSyncService({
    store: storage.userData,
    filters: createUserFilters({ rules: storage.rules, operator: {}, version: "1", onFailedClosed: () => expect.unreachable() }),
    pool: { run: async (_name, task: FilterTask["input"]) => (given.push(...task.items), runFilterTask(task)) },
    metrics: createMetrics("1"),
    clock: Date.now,
  });
  const principal = { userId, keyId: "key", scopes: new Set(allScopes), maxPrivacyLevel: "restricted" } as const;
  return {
    given,
    send: (...messages: unknown[]) => sync.batch(principal, { id: "batch", type: "batch", messages }),
    async [Symbol.asyncDispose]() {
      await storage[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
      folder.remove();
    },
  };
}

it("filters a long page once and analyses it once more for 100 new titles", async () => {
  await using world = await openSync();
  const { given, send } = world;
  await send(createMessage({ context: { id: "c", content: long } }));
  expect(given.splice(0)).toMatchObject([{ kind: "capture" }]);
  expect((await send(...titles("c"))).synced).toBe(100);
  // The patches themselves are small, and filtered for their fingerprints.
  expect(given.splice(0).filter(({ kind }) => kind !== "patch")).toMatchObject([{ kind: "searchable", context: { title: "Title99" } }]);
  await send(updateMessage("c", { tabMetadata: { isActive: false } }, { timestamp: "2026-01-31T12:00:03.000Z" }));
  expect(given).toEqual([]);
});

it("finds the last title of a batch, and the content as before", async () => {
  await using server = await TestServer.start();
  const client = await server.client();
  await client.sync(createMessage({ context: { id: "c", content: long } }));
  expect((await client.batch(titles("c"))).body.synced).toBe(100);
  const { body } = await client.get("/context/c");
  expect([body.title, body.content]).toEqual(["Title99", long]);
  for (const [query, total] of [
    ["Title99", 1],
    ["Title98", 0],
    ["harbour", 1],
  ] as const)
    expect((await client.get(`/context/search?query=%22${query}%22`)).body.total).toBe(total);
});

it("works off a batch of long pages in order, with a result for each message", async () => {
  await using server = await TestServer.start();
  const client = await server.client();
  const messages = [
    createMessage({ context: { id: "a", content: mebibyte } }),
    updateMessage("a", { title: "New", content: long }),
    { type: "nothing" },
    createMessage({ context: { id: "b", content: mebibyte } }),
    updateMessage("missing", { content: mebibyte }),
  ];
  const { body } = await client.batch(messages);
  expect([body.synced, body.failed]).toEqual([3, 2]);
  expect(body.results.map(({ status }: { status: string }) => status)).toEqual(["success", "success", "error", "success", "error"]);
  expect((await client.get("/context/a")).body).toMatchObject({ title: "New", content: long });
  const again = await client.batch(messages);
  expect(again.body.results.map(({ duplicate }: { duplicate?: true }) => duplicate)).toEqual([true, true, undefined, true, undefined]);
});

it("rejects a batch that updates more than 16 MiB of stored text, and stores nothing", async () => {
  await using server = await TestServer.start();
  const client = await server.client();
  const ids = Array.from({ length: 17 }, (_, number) => `c${number}`);
  for (const id of ids) expect((await client.sync(createMessage({ context: { id, content: mebibyte } }))).status).toBe(201);
  const updates = ids.map((id) => updateMessage(id, { title: "New" }));
  const refused = await client.batch(updates);
  expect([refused.status, refused.body.error, refused.body.maxBytes]).toEqual([413, "payload_too_large", 16_777_216]);
  expect((await client.get("/context/c0")).body.title).toBe("Lighthouses");
  expect((await client.batch(updates.slice(1))).body.synced).toBe(16);
});

it("rejects a batch that has more than 16 MiB of stored text filtered again", async () => {
  await using server = await TestServer.start();
  const client = await server.client();
  await client.sync(createMessage({ context: { id: "c", content: mebibyte } }));
  const flips = Array.from({ length: 17 }, (_, number) => updateMessage("c", { contentFormat: number % 2 ? "text" : "markdown" }));
  expect((await client.batch(flips)).status).toBe(413);
  expect((await client.batch(flips.slice(0, 4))).body.synced).toBe(4);
});
