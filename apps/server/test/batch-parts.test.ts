import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { allScopes } from "../src/access/access.store.js";
import { runFilterTask } from "../src/contexts/filter-task.js";
import { createSyncService } from "../src/contexts/sync.service.js";
import { unavailable } from "../src/domain-error.js";
import { createMetrics } from "../src/metrics/metrics.js";
import { createUserFilters } from "../src/privacy/user-filters.js";
import { engineOf } from "../src/storage/engine.js";
import { createMessage, deleteMessage, updateMessage } from "./messages.js";
import { createTestDatabase } from "./test-database.js";
import { TestServer } from "./test-server.js";

const mebibyte = "harbour ".repeat(131_072);
const ids = (count: number) => Array.from({ length: count }, (_, number) => `c${number}`);

/** A sync service whose commits the test can watch and break. */
async function openSync() {
  const folder = mkdtempDisposableSync(join(tmpdir(), "periscope-parts-"));
  const database = await createTestDatabase(folder.path);
  const storage = await engineOf(database.url).open({ searchTimeoutMs: 60_000 });
  await storage.access.createUser("ada", Date.now());
  const commits: number[] = [];
  const metrics = createMetrics("1");
  const control = { commits, failsFrom: Infinity };
  const sync = createSyncService({
    store: {
      ...storage.userData,
      async commit(userId, changes) {
        if (commits.length >= control.failsFrom) throw unavailable("The server's disk is full.", 5);
        commits.push(changes.processed.length);
        return await storage.userData.commit(userId, changes);
      },
    },
    filters: createUserFilters({ rules: storage.rules, operator: {}, version: "1", onFailedClosed: () => expect.unreachable() }),
    pool: { run: async (_name, task) => runFilterTask(task) },
    metrics,
    clock: Date.now,
  });
  const principal = { userId: "ada", keyId: "key", scopes: new Set(allScopes), maxPrivacyLevel: "restricted" } as const;
  return {
    control,
    send: (messages: unknown[]) => sync.batch(principal, { id: "batch", type: "batch", messages }),
    /** Counted creates, by what became of them. */
    async counted() {
      const lines = (await metrics.exposition()).text.split("\n");
      return lines.filter((line) => line.startsWith("periscope_sync_messages_total") && /"create".* [1-9]/.test(line)).sort();
    },
    async [Symbol.asyncDispose]() {
      await storage[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
      folder.remove();
    },
  };
}

it("splits many updates and deletes into parts, but not those of one context", async () => {
  await using world = await openSync();
  const { send, control } = world;
  await send(ids(100).map((id) => createMessage({ context: { id } })));
  await send(ids(20).map((id) => updateMessage(id, { title: "New" })));
  await send(ids(100).map(() => updateMessage("c0", { title: "Newer" })));
  await send(Array.from({ length: 64 }, (_, index) => updateMessage(`c${index % 16}`, { title: `Newest ${index}` })));
  await send(ids(100).map((id) => deleteMessage(id)));
  expect(control.commits).toEqual([100, 8, 8, 4, 100, ...Array<number>(8).fill(8), 32, 32, 32, 4]);
});

it("answers what is stored as stored when a later part fails", async () => {
  await using world = await openSync();
  const { send, control, counted } = world;
  const messages = ["a", "b", "c"].map((id) => createMessage({ context: { id, content: mebibyte } }));
  control.failsFrom = 1;
  const { results, synced, failed } = await send(messages);
  const error = { code: "internal_error", message: "The server's disk is full.", retryable: true };
  expect(results).toMatchObject([
    { status: "success", contextId: "a" },
    { messageId: messages[1]?.id, error },
    { messageId: messages[2]?.id, error },
  ]);
  expect([synced, failed]).toEqual([1, 2]);
  expect(await counted()).toEqual([expect.stringMatching(/internal_error.* 2$/), expect.stringMatching(/stored.* 1$/)]);
  control.failsFrom = Infinity;
  expect((await send(messages)).results).toMatchObject([{ duplicate: true }, { contextId: "b" }, { contextId: "c" }]);
});

it("rejects a batch whose first part fails, and stores nothing", async () => {
  await using world = await openSync();
  world.control.failsFrom = 0;
  const messages = [{ type: "nothing" }, createMessage()];
  await expect(world.send(messages)).rejects.toMatchObject({ code: "unavailable" });
});

it("bounds stored text that a batch has filtered again, whatever its parts", async () => {
  await using server = await TestServer.start();
  const client = await server.client();
  for (const id of ids(2)) await client.sync(createMessage({ context: { id, content: mebibyte } }));
  const flips = (id: string, count: number) =>
    Array.from({ length: count }, (_, number) => updateMessage(id, { contentFormat: number % 2 ? "text" : "markdown" }));
  const others = ids(7).map((id) => updateMessage(`new-${id}`, { title: "New" }));
  const { status, body } = await client.batch([...flips("c0", 9), ...others, ...flips("c1", 8)]);
  expect([status, body.synced]).toEqual([207, 9]);
  const errors = body.results.map(({ error }: { error?: { code: string } }) => error?.code);
  expect(errors.slice(9)).toEqual([...others.map(() => "not_found"), ...flips("c1", 8).map(() => "internal_error")]);
});
