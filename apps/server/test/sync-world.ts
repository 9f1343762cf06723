import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { allScopes } from "../src/access/access.store.js";
import { type FilterTask, runFilterTask } from "../src/contexts/filter-task.js";
import { createSyncService } from "../src/contexts/sync.service.js";
import { createMetrics } from "../src/metrics/metrics.js";
import { createUserFilters } from "../src/privacy/user-filters.js";
import { engineOf } from "../src/storage/engine.js";
import { createTestDatabase } from "./test-database.js";

/** The sync service over a database of its own, with places where a test can come between; gone at the end of the block. */
export async function openSyncWorld() {
  const folder = mkdtempDisposableSync(join(tmpdir(), "periscope-sync-"));
  const database = await createTestDatabase(folder.path);
  const storage = await engineOf(database.url).open({ searchTimeoutMs: 60_000 });
  const userId = "ada";
  await storage.access.createUser(userId, Date.UTC(2026, 0, 31, 12));
  const metrics = createMetrics("1");
  /** What happens once, before the next load or commit. */
  const before: Partial<Record<"load" | "commit", () => Promise<unknown>>> = {};
  const calls = { load: 0, commit: 0 };
  /** Messages that each commit recorded, and what was given to worker threads. */
  const commits: number[] = [];
  const given: Array<FilterTask["input"]["items"][number]> = [];
  const comeBetween = async (place: "load" | "commit") => {
    calls[place]++;
    const happens = before[place];
    delete before[place];
    await happens?.();
  };
  const sync = createSyncService({
    store: {
      ...storage.userData,
      async load(...wanted) {
        await comeBetween("load");
        return await storage.userData.load(...wanted);
      },
      async commit(user, changes) {
        await comeBetween("commit");
        commits.push(changes.processed.length);
        return await storage.userData.commit(user, changes);
      },
    },
    filters: createUserFilters({ rules: storage.rules, operator: {}, version: "1", onFailedClosed: () => expect.unreachable() }),
    pool: { run: async (_name, task: FilterTask["input"]) => (given.push(...task.items), runFilterTask(task)) },
    metrics,
    clock: Date.now,
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
    send: (messages: unknown[]) => sync.batch(principal, { id: "batch", type: "batch", messages }),
    async [Symbol.asyncDispose]() {
      await storage[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
      folder.remove();
    },
  };
}
