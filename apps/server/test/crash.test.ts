import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import { CrashLedger } from "./crash-ledger.js";
import { checkWhole, rowsOf } from "./database-dump.js";
import { isDeep } from "./deep.js";
import { checkPostgresIndex } from "./postgres-index.js";
import { Installation, type ServerProcess } from "./server-process.js";
import type { TestClient } from "./test-client.js";
import { testEngine } from "./test-database.js";

// To PostgreSQL the server is a client: few rounds show that nothing acknowledged was only in its memory.
const rounds = !isDeep ? 1 : testEngine() === "sqlite" ? 60 : 10;
const plenty = "1000000";
const rates = { RATE_LIMIT_SYNC: plenty, RATE_LIMIT_BATCH_SYNC: plenty, RATE_LIMIT_READ: plenty, RATE_LIMIT_SEARCH: plenty };

it("keeps acknowledged writes, whole, when it is killed while writing", async () => {
  await using installation = await Installation.create(rates);
  let server: ServerProcess = await installation.serve();
  const client = await installation.client(() => server);
  for (let round = 0; round < rounds; round++) {
    const ledger = new CrashLedger(`round${round}`);
    const writers = [ledger.writeSingly(client), ledger.writeSingly(client), ledger.writeBatches(client)];
    await vi.waitFor(() => expect(ledger.sent.filter(({ result }) => result !== undefined).length).toBeGreaterThan(5), 60_000);
    await pause(Math.random() * 300);
    await server.end("SIGKILL");
    await Promise.all(writers);
    server = await installation.serve();
    await examine(ledger, client);
    if (testEngine() === "postgres") await checkPostgresIndex(installation.database);
    else expectWhole(join(installation.dataDir, "periscope.db"));
  }
});

/** Compares what the restarted server has with what was sent and answered; then sends it all again. */
async function examine(ledger: CrashLedger, client: TestClient): Promise<void> {
  const searchable = await searchedFor(ledger.word, client);
  for (const [contextId, entries] of Map.groupBy(ledger.sent, (entry) => entry.contextId)) {
    const { body } = await client.get(`/context/${contextId}`);
    const content: string | undefined = body.content;
    const pending = entries.find(({ result }) => result === undefined);
    const acknowledged = entries.findLast(({ result }) => result !== undefined);
    const isKept = pending !== undefined && content === pending.content && content !== acknowledged?.content;
    expect({ contextId, content, isFound: searchable.delete(contextId) }).toEqual({
      contextId,
      content: isKept ? pending.content : acknowledged?.content,
      isFound: content !== undefined,
    });
    for (const { message, result } of entries) {
      const again = await client.syncUntilTaken(message);
      // Context and record of the message come together or not at all.
      const isKnown = result !== undefined || isKept;
      const { duplicate, ...answer } = again.body;
      expect([again.status, duplicate, answer]).toEqual([201, isKnown ? true : undefined, result ?? answer]);
    }
  }
  expect([...searchable]).toEqual([]);
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
  checkWhole(file);
  const recorded = "SELECT DISTINCT result ->> 'contextId' AS id FROM processed_messages ORDER BY id";
  expect(rowsOf(file, recorded)).toEqual(
    rowsOf(file, "SELECT contextId AS id FROM contexts UNION SELECT contextId FROM tombstones ORDER BY id"),
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
