import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { noChanges, writtenContext } from "../../../test/written-context.js";
import type { UserChanges } from "../../contexts/context.store.js";
import { yieldToEventLoop } from "../../workers/pause.js";
import { openWriter } from "./connection.js";
import { sqliteEngine } from "./engine.js";
import { SqliteWriter } from "./writer.js";

const noRules = { blockedSites: [], siteRules: [], denyList: [] };

/** Storage with the users `ada` and `grace`. */
async function openWorld() {
  const folder = mkdtempDisposableSync(join(tmpdir(), "periscope-fair-"));
  const storage = await sqliteEngine(`file:${join(folder.path, "a.db")}`).open({ searchTimeoutMs: 60_000 });
  for (const userId of ["ada", "grace"]) await storage.access.createUser(userId, 1_000);
  return {
    storage,
    async commit(userId: string, changes: Partial<UserChanges>) {
      const state = await storage.userData.load(userId, { messages: [], contextIds: [] });
      return await storage.userData.commit(userId, { ...noChanges, ...changes, revision: state?.revision ?? 0 });
    },
    async [Symbol.asyncDispose]() {
      await storage[Symbol.asyncDispose]();
      folder.remove();
    },
  };
}

/** Counts turns of the event loop until `work` has ended. */
async function countTurns(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const ended = work.finally(() => (isOver = true));
  while (!isOver) {
    await new Promise(setImmediate);
    turns++;
  }
  await ended;
  return turns;
}

test("writes of others come between many changes of one user's rules", async () => {
  await using world = await openWorld();
  const { storage, commit } = world;
  const ended: string[] = [];
  const changes = Array.from({ length: 10 }, () => storage.rules.replace("ada", noRules, 2_000).then(() => ended.push("ada")));
  await commit("grace", { created: [writtenContext("grace", "c")] }).then(() => ended.push("grace"));
  await Promise.all(changes);
  expect(ended.slice(0, 3)).toContain("grace");
  expect(ended).toHaveLength(11);
});

test("serves others during a commit that deletes many contexts", async () => {
  await using world = await openWorld();
  const ids = Array.from({ length: 300 }, (_, number) => `c${number}`);
  await world.commit("ada", { created: ids.map((id) => writtenContext("ada", id, { content: "harbour light ".repeat(2_000) })) });
  const idle = await countTurns(world.commit("ada", {}));
  const removed = ids.map((contextId) => ({ contextId, deletedAt: 3_000 }));
  expect(await countTurns(world.commit("ada", { removed }))).toBeGreaterThan(idle + 2);
});

test("serves others between the jobs of one transaction", async () => {
  const folder = mkdtempDisposableSync(join(tmpdir(), "periscope-fair-"));
  const db = openWriter(join(folder.path, "a.db"), { waits: false });
  const writer = new SqliteWriter(db);
  const busy = () => {
    for (const until = performance.now() + 10; performance.now() < until;);
  };
  const jobs = Array.from({ length: 20 }, () => writer.run(busy));
  expect(await countTurns(Promise.all(jobs))).toBeGreaterThan(15);
  db.close();
  folder.remove();
});

test("a read does not wait behind everybody's long work", async () => {
  await using world = await openWorld();
  const order: string[] = [];
  const longWork = Array.from({ length: 20 }, () => yieldToEventLoop().then(() => order.push("long work")));
  await world.storage.contexts.find({ userId: "ada", maxPrivacyLevel: "restricted" }, "c").then(() => order.push("read"));
  await Promise.all(longWork);
  expect(order.slice(0, 5)).toContain("read");
});
