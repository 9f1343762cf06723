import { mkdtempDisposableSync } from "node:fs";
import { scratchFolder } from "@periscope/harness/temporary-directory";
import { join } from "node:path";
import { expect, test } from "vitest";
import { noChanges, writtenContext } from "../../../test/written-context.js";
import type { UserChanges } from "../../contexts/context.store.js";
import { yieldToEventLoop } from "../../workers/pause.js";
import { openReader, openWriter } from "./connection.js";
import { sqliteEngine } from "./engine.js";
import { SqliteWriter } from "./writer.js";

/** A writer over a table of numbers that may be there once. */
function openTable() {
  const folder = mkdtempDisposableSync(join(scratchFolder(), "periscope-writer-"));
  const db = openWriter(join(folder.path, "a.db"), { waits: false });
  db.exec("CREATE TABLE few (a UNIQUE)");
  const add = db.prepare<[number]>("INSERT INTO few VALUES (?)");
  const reader = openReader(join(folder.path, "a.db"));
  const committed = () => reader.prepare<[], number>("SELECT a FROM few ORDER BY a").pluck().all();
  const dispose = () => (reader.close(), db.close(), folder.remove());
  return { writer: new SqliteWriter(db), add: (a: number) => void add.run(a), committed, [Symbol.dispose]: dispose };
}

/** Storage with the users `ada` and `grace`. */
async function openStorage() {
  const folder = mkdtempDisposableSync(join(scratchFolder(), "periscope-fair-"));
  const storage = await sqliteEngine(`file:${join(folder.path, "a.db")}`).open({ searchTimeoutMs: 60_000 });
  for (const userId of ["ada", "grace"]) await storage.access.createUser(userId, 1_000);
  const commit = async (userId: string, changes: Partial<UserChanges>) => {
    const state = await storage.userData.load(userId, { messages: [], contextIds: [] });
    return await storage.userData.commit(userId, { ...noChanges, ...changes, revision: state?.revision ?? 0 });
  };
  return { ...storage, commit, [Symbol.asyncDispose]: () => storage[Symbol.asyncDispose]().then(() => folder.remove()) };
}

/** Counts turns of the event loop until `work` has ended. */
async function countTurns(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const ended = work.finally(() => (isOver = true));
  for (; !isOver; turns++) await new Promise(setImmediate);
  await ended;
  return turns;
}

test("commits waiting jobs in one transaction, and refuses a failed one alone", async () => {
  using table = openTable();
  const jobs = [[1], [2], [9, 1], [3]].map((numbers) => table.writer.run(() => numbers.forEach(table.add)));
  // Another connection reads what is answered.
  const answered = jobs[0]?.then(() => table.committed());
  const outcomes = await Promise.allSettled(jobs);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
  expect(await answered).toEqual([1, 2, 3]);
});

test("lets nothing write beside exclusive work", async () => {
  using table = openTable();
  const order: string[] = [];
  const exclusive = table.writer.exclusive(async () => {
    order.push("begun");
    await new Promise(setImmediate);
    order.push("ended");
  });
  await Promise.all([exclusive, table.writer.run(() => (order.push("written"), table.add(1)))]);
  await table.writer.idle();
  expect([order, table.committed()]).toEqual([["begun", "ended", "written"], [1]]);
});

test("serves others between the jobs of one transaction", async () => {
  using table = openTable();
  const busy = () => {
    for (const until = performance.now() + 10; performance.now() < until;);
  };
  const jobs = Array.from({ length: 20 }, () => table.writer.run(busy));
  expect(await countTurns(Promise.all(jobs))).toBeGreaterThan(15);
});

test("serves others during a commit that deletes many contexts", async () => {
  await using storage = await openStorage();
  const ids = Array.from({ length: 300 }, (_, number) => `c${number}`);
  const content = "harbour light ".repeat(2_000);
  await storage.commit("ada", { created: ids.map((id) => writtenContext("ada", id, { content })) });
  const idle = await countTurns(storage.commit("ada", {}));
  const removed = ids.map((contextId) => ({ contextId, deletedAt: 3_000 }));
  expect(await countTurns(storage.commit("ada", { removed }))).toBeGreaterThan(idle + 2);
});

test("lets writes of others come between many changes of one user's rules", async () => {
  await using storage = await openStorage();
  const ended: string[] = [];
  const noRules = { blockedSites: [], siteRules: [], denyList: [] };
  const changes = Array.from({ length: 10 }, () => storage.rules.replace("ada", noRules, 2_000).then(() => ended.push("ada")));
  await storage.commit("grace", { created: [writtenContext("grace", "c")] }).then(() => ended.push("grace"));
  await Promise.all(changes);
  expect([ended.slice(0, 3).includes("grace"), ended.length]).toEqual([true, 11]);
});

test("lets a read not wait behind everybody's long work", async () => {
  await using storage = await openStorage();
  const order: string[] = [];
  const longWork = Array.from({ length: 20 }, () => yieldToEventLoop().then(() => order.push("long work")));
  await storage.contexts.find({ userId: "ada", maxPrivacyLevel: "restricted" }, "c").then(() => order.push("read"));
  await Promise.all(longWork);
  expect(order.slice(0, 5)).toContain("read");
});
