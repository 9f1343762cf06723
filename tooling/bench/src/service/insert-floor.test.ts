import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { temporaryDirectory } from "@periscope/harness/temporary-directory";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import type { LoadResult } from "../load/closed-loop.ts";
import { JobProcess } from "../load/job-process.ts";
import type { InsertJob } from "./insert-floor.ts";

const migrations = new URL("../../../../apps/server/prisma/sqlite/migrations/", import.meta.url);

function migrate(file: string): void {
  using resource = opened(file);
  const folders = readdirSync(migrations, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const { name } of folders.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    resource.db.exec(readFileSync(new URL(`${name}/migration.sql`, migrations), "utf8"));
  }
  resource.db.exec(
    `INSERT INTO contexts VALUES (1, 'u', 'c', 'page', 't', 'e', 1, 'private', 1, 1, NULL, 'text', 'https://x.dev/', 'Title', '{}', '{}', NULL, 'Text')`,
  );
  resource.db.exec(`INSERT INTO processed_messages VALUES ('u', 'e', 'm', 'f', 'private', '{}', 1)`);
}

function opened(file: string) {
  const db = new Database(file);
  return { db, [Symbol.dispose]: () => void db.close() };
}

test("the floor of writes stores whole transactions of contexts and records under the shipped schema", async () => {
  await using directory = await temporaryDirectory("periscope-floor-");
  const file = join(directory.path, "floor.db");
  migrate(file);
  await using floor = new JobProcess<InsertJob, LoadResult>(new URL("insert-floor.ts", import.meta.url), [file]);
  const { requests, latencies } = await floor.run({ seconds: 0.05, perTransaction: 10 }, 30);
  using resource = opened(file);
  const count = (table: string) => resource.db.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
  expect(requests).toBeGreaterThan(0);
  expect(latencies).toHaveLength(requests);
  expect(count("contexts")).toBe(1 + requests * 10);
  expect(count("processed_messages")).toBe(1 + requests * 10);
});

test("a job that fails rejects with the reason, and one whose process ends rejects too", async () => {
  await using broken = new JobProcess<InsertJob, LoadResult>(new URL("insert-floor.ts", import.meta.url), ["/nowhere/floor.db"]);
  await expect(broken.run({ seconds: 1, perTransaction: 1 }, 30)).rejects.toThrow(/directory does not exist/);
  await using directory = await temporaryDirectory("periscope-floor-");
  const script = join(directory.path, "ending.mjs");
  writeFileSync(script, "process.on('message', () => process.exit(3));");
  await using ending = new JobProcess<InsertJob, LoadResult>(pathToFileURL(script));
  await expect(ending.run({ seconds: 1, perTransaction: 1 }, 30)).rejects.toThrow(/ended/);
});
