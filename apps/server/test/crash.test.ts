import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import Database from "better-sqlite3";
import { expect, it, vi } from "vitest";
import { CrashLedger } from "./crash-ledger.js";
import { isDeep } from "./deep.js";
import { checkAgreement } from "./index-agreement.js";
import { Installation, type ServerProcess } from "./server-process.js";
import type { TestClient } from "./test-client.js";
import { testEngine } from "./test-database.js";

// To PostgreSQL the server is a client: one round shows that nothing acknowledged was only in its memory.
const rounds = testEngine() === "sqlite" ? (isDeep ? 60 : 2) : isDeep ? 10 : 1;
const nothing = { acknowledged: 0, unanswered: 0, unansweredKept: 0, losses: 0, halves: 0, replaysAnsweredAsDuplicates: 0 };
const plenty = "1000000";
const rates = { RATE_LIMIT_SYNC: plenty, RATE_LIMIT_BATCH_SYNC: plenty, RATE_LIMIT_READ: plenty, RATE_LIMIT_SEARCH: plenty };

it("keeps acknowledged writes, whole, when it is killed while writing", async () => {
  await using installation = await Installation.create(rates);
  let server: ServerProcess = await installation.serve();
  const client = await installation.client(() => server);
  const totals = { kills: 0, ...nothing };
  while (totals.kills < rounds) {
    const ledger = new CrashLedger(`round${totals.kills}`);
    const writers = [ledger.writeSingly(client), ledger.writeSingly(client), ledger.writeBatches(client)];
    const acknowledged = () => ledger.sent.filter(({ result }) => result !== undefined).length;
    await vi.waitFor(() => expect(acknowledged()).toBeGreaterThan(1), 60_000);
    await pause(20 + Math.random() * 400);
    await server.end("SIGKILL");
    await Promise.all(writers);
    totals.kills++;
    server = await installation.serve();
    const found = await examine(ledger, client);
    for (const name of Object.keys(found) as Array<keyof typeof found>) totals[name] += found[name];
    expect(totals).toMatchObject({ losses: 0, halves: 0 });
    if (testEngine() === "sqlite") expectWhole(join(installation.dataDir, "periscope.db"));
    else await (await import("./postgres-index.js")).checkPostgresIndex(installation.database);
  }
  process.stdout.write(`kill -9 while writing: ${JSON.stringify(totals)}\n`);
  expect(totals.acknowledged).toBeGreaterThan(rounds);
  expect(totals.replaysAnsweredAsDuplicates).toBe(totals.acknowledged + totals.unansweredKept);
});

/** Compares what the restarted server has with what was sent and answered; then sends it all again. */
async function examine(ledger: CrashLedger, client: TestClient) {
  const found = { ...nothing };
  const searchable = await searchedFor(ledger.word, client);
  let present = 0;
  for (const [contextId, entries] of ledger.byContext()) {
    const answer = await client.get(`/context/${contextId}`);
    const content = answer.status === 200 ? (answer.body.content as string) : undefined;
    const pending = entries.find(({ result }) => result === undefined);
    const acknowledged = entries.findLast(({ result }) => result !== undefined);
    const kept = pending !== undefined && content === pending.content && content !== acknowledged?.content;
    if (!kept && content !== acknowledged?.content) found.losses++;
    if (content !== undefined) present++;
    if (searchable.has(contextId) !== (content !== undefined)) found.halves++;
    for (const { message, result } of entries) {
      const { status, body } = await client.sync(message);
      // Context and record of the message come together or not at all.
      const isKnown = result !== undefined || kept;
      const { duplicate, ...answer } = body;
      expect([status, duplicate, answer]).toEqual([201, isKnown ? true : undefined, result ?? answer]);
      if (duplicate === true) found.replaysAnsweredAsDuplicates++;
    }
    found.acknowledged += entries.filter(({ result }) => result !== undefined).length;
    found.unanswered += pending ? 1 : 0;
    found.unansweredKept += kept ? 1 : 0;
  }
  expect(searchable.size).toBe(present);
  return found;
}

/** Ids of all contexts that a search for the word finds. */
async function searchedFor(word: string, client: TestClient): Promise<Set<string>> {
  const ids = new Set<string>();
  for (let offset = 0, total = 1; offset < total; offset += 1000) {
    const { body } = await client.get(`/context/search?query=${word}&limit=1000&offset=${offset}`);
    for (const { contextId } of body.results) ids.add(contextId);
    total = body.total;
  }
  return ids;
}

/** The tables agree with each other: contexts, the records of their messages, and the search index. */
function expectWhole(file: string): void {
  using closing = new DisposableStack();
  const db = new Database(file);
  closing.defer(() => db.close());
  expect(db.pragma("integrity_check", { simple: true })).toBe("ok");
  db.exec("INSERT INTO search_index(search_index) VALUES ('integrity-check')");
  const column = (sql: string) => db.prepare(sql).pluck().all();
  checkAgreement(db);
  const recorded = "SELECT DISTINCT result ->> 'contextId' AS id FROM processed_messages";
  expect(column(`${recorded} ORDER BY id`)).toEqual(
    column("SELECT contextId AS id FROM contexts UNION SELECT contextId FROM tombstones ORDER BY id"),
  );
}

it("starts after it was killed during its first start", async () => {
  for (const wait of isDeep ? [50, 150, 250, 350, 450, 550] : [50 + Math.random() * 400]) {
    await using installation = await Installation.create(rates);
    const killed = installation.spawn();
    await pause(wait + Math.random() * 100);
    await killed.end("SIGKILL");
    const server = await installation.serve();
    const client = await installation.client(() => server);
    expect((await client.get("/context/history")).body.total).toBe(0);
  }
});
