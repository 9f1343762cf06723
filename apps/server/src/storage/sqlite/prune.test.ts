import Database from "better-sqlite3";
import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openStorage } from "../open-storage.js";

const old = 1_000_000;

/** A database with this many records and tombstones of the time `old`, and one of each that is a millisecond younger. */
async function filled(file: string, count: number) {
  const storage = await openStorage({ databaseUrl: `file:${file}`, searchTimeoutMs: 1000 });
  const db = new Database(file);
  const numbers = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?)";
  const at = "iif(i = 0, ? + 1, ?)";
  db.prepare(`${numbers} INSERT INTO processed_messages SELECT 'u', 'e', 'm' || i, '', 'private', '{}', ${at} FROM n`).run(count, old, old);
  db.prepare(`${numbers} INSERT INTO tombstones SELECT 'u', 'c' || i, 0, ${at} FROM n`).run(count, old, old);
  const left = () => ["processed_messages", "tombstones"].map((table) => db.prepare(`SELECT count(*) FROM ${table}`).pluck().get());
  return { storage, left, [Symbol.asyncDispose]: async () => (db.close(), await storage[Symbol.asyncDispose]()) };
}

test("pruning forgets what is older, and nothing else", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "periscope-prune-"));
  await using world = await filled(join(folder.path, "periscope.db"), 2500);
  await world.storage.prune(old);
  expect(world.left()).toEqual([2501, 2501]);
  await world.storage.prune(old + 1);
  expect(world.left()).toEqual([1, 1]);
});

test("pruning lets others write long before it is done", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "periscope-prune-"));
  await using world = await filled(join(folder.path, "periscope.db"), 2500);
  const pruned = world.storage.prune(old + 1);
  await world.storage.access.createUser("ada", 1);
  expect(world.left()[0]).toBeGreaterThan(1000);
  await pruned;
  expect(world.left()).toEqual([1, 1]);
});

test("pruning stops when the storage is closed", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "periscope-prune-"));
  await using world = await filled(join(folder.path, "periscope.db"), 2500);
  const pruned = world.storage.prune(old + 1);
  await world.storage[Symbol.asyncDispose]();
  await pruned;
  expect(world.left()[1]).toBe(2501);
});
