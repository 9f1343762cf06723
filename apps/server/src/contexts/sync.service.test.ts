import { mkdtempDisposableSync } from "node:fs";
import { scratchFolder } from "@periscope/harness/temporary-directory";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { createMessage, deleteMessage, updateMessage } from "../../test/messages.js";
import { createTestDatabase } from "../../test/test-database.js";
import { withSharedServer as it } from "../../test/test-server.js";
import { noChanges } from "../../test/written-context.js";
import { allScopes } from "../access/access.store.js";
import { unavailable } from "../domain-error.js";
import { createMetrics } from "../metrics/metrics.js";
import { createUserFilters } from "../privacy/user-filters.js";
import { engineOf } from "../storage/engine.js";
import type { UserDataStore } from "./context.store.js";
import { type FilterTask, runFilterTask } from "./filter-task.js";
import { PerUserQueue } from "../workers/per-user-queue.js";
import { createContextRemoval } from "./context-removal.js";
import { removeContext } from "./context.service.js";
import { createSyncService } from "./sync.service.js";

const start = Date.UTC(2026, 0, 31, 12);

/** The service over a database of its own, with places where a test can come between; gone at the end of the block. */
async function openWorld() {
  const folder = mkdtempDisposableSync(join(scratchFolder(), "periscope-sync-"));
  const database = await createTestDatabase(folder.path);
  const storage = await engineOf(database.url).open({ searchTimeoutMs: 60_000 });
  const userId = "ada";
  await storage.access.createUser(userId, start);
  const metrics = createMetrics("1");
  /** What happens once, before the next load or commit. */
  const before: Partial<Record<"load" | "commit", () => Promise<unknown>>> = {};
  const calls = { load: 0, commit: 0, refused: 0 };
  /** Messages that each commit recorded, and what was given to worker threads. */
  const commits: number[] = [];
  const given: Array<FilterTask["input"]["items"][number]> = [];
  const failures: unknown[] = [];
  const comeBetween = async (place: "load" | "commit") => {
    calls[place]++;
    const happens = before[place];
    delete before[place];
    await happens?.();
  };
  const store: UserDataStore = {
    ...storage.userData,
    async load(...wanted) {
      await comeBetween("load");
      return await storage.userData.load(...wanted);
    },
    async commit(user, changes) {
      await comeBetween("commit");
      commits.push(changes.processed.length);
      const isCommitted = await storage.userData.commit(user, changes);
      if (!isCommitted) calls.refused++;
      return isCommitted;
    },
  };
  const filters = createUserFilters({ rules: storage.rules, operator: {}, version: "1", onFailedClosed: () => expect.unreachable() });
  const queue = new PerUserQueue();
  const removal = createContextRemoval({ store, filters, queue, clock: Date.now });
  const sync = createSyncService({
    store,
    filters,
    queue,
    pool: { run: async (_name, task: FilterTask["input"]) => (given.push(...task.items), runFilterTask(task)) },
    metrics,
    clock: Date.now,
    onFailure: (user, error) => failures.push([user, error]),
  });
  const principal = { userId, keyId: "key", scopes: new Set(allScopes), maxPrivacyLevel: "restricted" } as const;
  return {
    userId,
    storage,
    metrics,
    before,
    calls,
    commits,
    given,
    failures,
    send: (messages: unknown[]) => sync.batch(principal, { id: "batch", type: "batch", messages }),
    remove: (contextId: string) => removeContext({ stores: storage, removal }, principal, contextId),
    contentOf: async (contextId: string) => (await storage.contexts.find(principal, contextId))?.content,
    setRules: (rules: object, at = start) => storage.rules.replace(userId, { blockedSites: [], siteRules: [], denyList: [], ...rules }, at),
    async [Symbol.asyncDispose]() {
      await storage[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
      folder.remove();
    },
  };
}

describe("the parts of a batch", () => {
  const long = "harbour ".repeat(20_000);
  /** A content of 1 MiB that is quick to filter and to analyse. */
  const mebibyte = "harbour ".padEnd(1_048_576);
  const ids = (count: number) => Array.from({ length: count }, (_, number) => `c${number}`);
  const creates = (count: number) => ids(count).map((id) => createMessage({ context: { id } }));
  const titles = (id: string) => Array.from({ length: 100 }, (_, number) => updateMessage(id, { title: `Title${number}` }));
  /** Updates after each of which the whole content must be filtered again. */
  const flips = (id: string, count: number) =>
    Array.from({ length: count }, (_, number) => updateMessage(id, { contentFormat: number % 2 ? "text" : "markdown" }));

  it("split many updates and deletes, but not those of one context", async () => {
    await using world = await openWorld();
    const { send, commits } = world;
    await send(creates(100));
    await send(ids(20).map((id) => updateMessage(id, { title: "New" })));
    await send(ids(100).map(() => updateMessage("c0", { title: "Newer" })));
    await send(Array.from({ length: 64 }, (_, index) => updateMessage(`c${index % 16}`, { title: `Newest ${index}` })));
    await send(ids(100).map((id) => deleteMessage(id)));
    expect(commits).toEqual([100, 8, 8, 4, 100, ...Array<number>(8).fill(8), 32, 32, 32, 4]);
  });

  const cause = new Error("password of the database");
  it.for([
    [unavailable("The server's disk is full.", 5, cause), "The server's disk is full."],
    [cause, "Unexpected server error. Retry with exponential backoff."],
  ] as const)("are answered as stored when a later one fails with %s", async ([thrown, message]) => {
    await using world = await openWorld();
    const { send, before, failures, metrics } = world;
    const fail = () => Promise.reject(thrown);
    const messages = ["a", "b", "c"].map((id) => createMessage({ context: { id, content: mebibyte } }));
    before.commit = async () => (before.commit = fail);
    const { results, synced, failed } = await send(messages);
    const error = { code: "internal_error", message, retryable: true };
    expect([synced, failed]).toEqual([1, 2]);
    expect(results).toMatchObject([{ contextId: "a" }, { messageId: messages[1]?.id, error }, { messageId: messages[2]?.id, error }]);
    expect(failures).toEqual([[world.userId, cause]]);
    const counted = (await metrics.exposition()).text.match(/^periscope_sync_messages_total.*"create".* [1-9]\d*$/gm);
    expect(counted?.sort()).toEqual([expect.stringMatching(/internal_error.* 2$/), expect.stringMatching(/stored.* 1$/)]);
    expect((await send(messages)).results).toMatchObject([{ duplicate: true }, { contextId: "b" }, { contextId: "c" }]);
    before.commit = fail;
    await expect(send([{ type: "nothing" }, createMessage()])).rejects.toBe(thrown);
  });

  it("filter a long page once and analyse it once more for 100 new titles", async () => {
    await using world = await openWorld();
    const { given, send } = world;
    await send([createMessage({ context: { id: "c", content: long } })]);
    expect(given.splice(0)).toMatchObject([{ kind: "capture" }]);
    expect((await send(titles("c"))).synced).toBe(100);
    // The patches themselves are small, and filtered for their fingerprints.
    expect(given.splice(0).filter(({ kind }) => kind !== "patch")).toMatchObject([{ kind: "searchable", context: { title: "Title99" } }]);
    await send([updateMessage("c", { tabMetadata: { isActive: false } }, { timestamp: "2026-01-31T12:00:03.000Z" })]);
    expect(given).toEqual([]);
  });

  it("leave the last title to be found, and the content as before", async ({ client }) => {
    await client.sync(createMessage({ context: { id: "c", content: long } }));
    expect((await client.batch(titles("c"))).body.synced).toBe(100);
    expect((await client.get("/context/c")).body).toMatchObject({ title: "Title99", content: long });
    const totals = [];
    for (const word of ["Title99", "Title98", "harbour"]) totals.push((await client.get(`/context/search?query=%22${word}%22`)).body.total);
    expect(totals).toEqual([1, 0, 1]);
  });

  it("reject a batch that needs over 16 MiB of stored text, and store nothing of it", async ({ server, client }) => {
    expect((await client.batch(creates(17))).body.synced).toBe(17);
    await server.rows(`UPDATE contexts SET content = ? WHERE "userId" = ?`, mebibyte, client.userId);
    const updates = ids(17).map((id) => updateMessage(id, { title: "New" }));
    const refused = await client.batch(updates);
    expect([refused.status, refused.body.error, refused.body.maxBytes]).toEqual([413, "payload_too_large", 16_777_216]);
    expect((await client.get("/context/c0")).body.title).toBe("Lighthouses");
    expect((await client.batch(flips("c16", 17))).status).toBe(413);
    expect((await client.batch(updates.slice(1))).body.synced).toBe(16);
  });

  it("share a bound on stored text that is filtered again", async ({ server, client }) => {
    await client.batch(creates(2));
    await server.rows(`UPDATE contexts SET content = ? WHERE "userId" = ?`, mebibyte, client.userId);
    const others = ids(7).map((id) => updateMessage(`new-${id}`, { title: "New" }));
    const { status, body } = await client.batch([...flips("c0", 9), ...others, ...flips("c1", 8)]);
    expect([status, body.synced]).toEqual([207, 9]);
    const errors = body.results.map(({ error }: { error?: { code: string } }) => error?.code);
    expect(errors.slice(9)).toEqual([...others.map(() => "not_found"), ...flips("c1", 8).map(() => "internal_error")]);
  });
});

describe("changes during a sync", () => {
  const page = (id: string, url = "https://wiki.example/") => {
    const tabMetadata = { id: "7", url, title: "A page" };
    return createMessage({ context: { id, content: "Quill Vandermeer wrote it.", privacyLevel: "filtered", tabMetadata } });
  };

  it.for(["load", "commit"] as const)("apply rules that are set before its %s", async (place) => {
    await using world = await openWorld();
    world.before[place] = () => world.setRules({ denyList: ["Quill Vandermeer"], blockedSites: ["diary.example"] });
    const sent = await world.send([page("a", "https://diary.example/"), page("b")]);
    expect(sent).toMatchObject({ synced: 1, failed: 1, results: [{ error: { code: "privacy_rejected" } }, { status: "success" }] });
    expect([await world.contentOf("a"), await world.contentOf("b")]).toEqual([undefined, "[REDACTED:denied] wrote it."]);
  });

  it("apply the rules of a user who was deleted and created again", async () => {
    await using world = await openWorld();
    const { storage, userId, before, setRules } = world;
    await setRules({ denyList: ["somebody else"] });
    before.load = async () => {
      await storage.access.deleteUser(userId);
      await storage.access.createUser(userId, start + 1);
      await setRules({ denyList: ["Quill Vandermeer"] }, start + 1);
    };
    await world.send([page("a")]);
    expect(await world.contentOf("a")).toBe("[REDACTED:denied] wrote it.");
  });

  it("make it work its own out again", async () => {
    await using world = await openWorld();
    const { storage, userId, before, calls } = world;
    await world.send([page("a")]);
    before.commit = async () => {
      const { revision = 0 } = (await storage.userData.load(userId, { messages: [], contextIds: [] })) ?? {};
      await storage.userData.commit(userId, { ...noChanges, revision, removed: [{ contextId: "a", deletedAt: start + 1 }] });
    };
    const update = updateMessage("a", { title: "New" }, { timestamp: "2026-01-31T12:00:09Z" });
    expect(await world.send([update])).toMatchObject({ failed: 1, results: [{ error: { code: "not_found" } }] });
    expect(calls).toEqual({ load: 3, commit: 3, refused: 1 });
  });

  it("make it unauthorized when the user is deleted", async () => {
    await using world = await openWorld();
    world.before.load = () => world.storage.access.deleteUser(world.userId);
    await expect(world.send([page("a")])).rejects.toMatchObject({ code: "unauthorized" });
  });
});

describe("the deletion of a context", () => {
  it("takes its turn among the syncs of its user", async () => {
    await using world = await openWorld();
    const { send, remove, calls } = world;
    const ids = ["a", "b", "c", "d"];
    await send(ids.map((id) => createMessage({ context: { id } })));
    await Promise.all(ids.flatMap((id) => [send([updateMessage(id, { title: "New" })]), remove(id)]));
    expect(calls.refused).toBe(0);
    for (const id of ids) expect(await world.contentOf(id)).toBeUndefined();
  });

  it("deletes a context that another server keeps changing", async () => {
    await using world = await openWorld();
    const { storage, userId, before, calls, remove } = world;
    await world.send([createMessage({ context: { id: "a" } })]);
    const loads = calls.load;
    const touch = async () => {
      if (calls.load > loads + 9) return;
      before.load = touch;
      const state = await storage.userData.load(userId, { messages: [], contextIds: ["a"], updatedIds: ["a"] });
      const [context] = state?.contexts ?? [];
      if (!state || !context) return;
      const replaced = [{ ...context, capturedAt: context.capturedAt + 1, search: null }];
      await storage.userData.commit(userId, { ...noChanges, revision: state.revision, replaced });
    };
    before.load = touch;
    await remove("a");
    expect(calls.load - loads).toBe(1);
    await expect(remove("a")).rejects.toMatchObject({ code: "not_found" });
  });
});
