import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import { checkWhole, rowsOf } from "./database-dump.js";
import { isDeep } from "./deep.js";
import { createMessage, deleteMessage, updateMessage } from "./messages.js";
import { Installation, type ServerProcess } from "./server-process.js";
import type { TestClient } from "./test-client.js";
import { type TestDatabase, testEngine } from "./test-database.js";
import { searchDocument } from "../src/search/search-document.js";
import { type ContextRow, contextFromRow } from "../src/storage/context-columns.js";
import { binaryArray } from "../src/storage/postgres/context-statements.js";
import { ownerPrefix, toVector } from "../src/storage/postgres/search-lexemes.js";
import { withPauses } from "../src/workers/pause.js";

/** A message that was sent, and its result when one arrived: without one nobody knows whether it took effect. */
interface Sent {
  contextId: string;
  message: Record<string, unknown>;
  /** Content of the context after it; undefined once it is deleted. */
  content: string | undefined;
  result?: Record<string, unknown>;
}

/** What several writers have sent in one life of a server. */
class CrashLedger {
  readonly sent: Sent[] = [];

  /** @param word is in every content that is written, and nowhere else */
  constructor(readonly word: string) {}

  /** Writes one message after the other until the server is gone: creates, and updates and deletes of what was created. */
  async writeSingly(client: TestClient): Promise<void> {
    const own: string[] = [];
    for (;;) {
      const contextId = Math.random() < 0.5 ? own[Math.floor(Math.random() * own.length)] : undefined;
      const entry = this.#next(contextId, contextId === undefined ? "create" : Math.random() < 0.7 ? "update" : "delete");
      const answer = await client.syncUntilTaken(entry.message).catch(() => undefined);
      if (!answer) return;
      if (answer.status !== 201) throw new Error(`a sync was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
      entry.result = answer.body;
      if (contextId === undefined) own.push(entry.contextId);
      else if (entry.content === undefined) own.splice(own.indexOf(contextId), 1);
    }
  }

  /** Writes batches of creates until the server is gone. */
  async writeBatches(client: TestClient): Promise<void> {
    for (;;) {
      const entries = Array.from({ length: 1 + Math.floor(Math.random() * 12) }, () => this.#next());
      const answer = await client.batch(entries.map(({ message }) => message)).catch(() => undefined);
      if (!answer) return;
      if (answer.body.failed !== 0) throw new Error(`a batch was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
      entries.forEach((entry, index) => (entry.result = answer.body.results[index]));
      await pause(1);
    }
  }

  #next(contextId?: string, kind: "create" | "update" | "delete" = "create"): Sent {
    const count = this.sent.length;
    const id = contextId ?? `${this.word}-${count}`;
    // Long enough for several pages of the database, so that there is something to write by halves.
    const content = `${this.word} number ${count} ${"lighthouse keepers kept the lamp ".repeat(Math.floor(Math.random() * 400))}`;
    const head = { messageId: `${this.word}-${count}`, timestamp: new Date(Date.parse("2026-01-31T12:00:00Z") + count).toISOString() };
    const entry: Sent =
      kind === "delete"
        ? { contextId: id, content: undefined, message: deleteMessage(id, head) }
        : kind === "update"
          ? { contextId: id, content, message: updateMessage(id, { content }, head) }
          : { contextId: id, content, message: createMessage({ ...head, context: { id, content, privacyLevel: "public" } }) };
    this.sent.push(entry);
    return entry;
  }
}

interface IndexRow {
  url: string;
  capturedAt: Date;
  stored: Buffer;
  /** Whether the terms are those given. */
  agrees: boolean;
}

/** Throws unless every context in a PostgreSQL database has the entry in the search index that its row makes, and nothing else has one. */
async function checkPostgresIndex(database: Pick<TestDatabase, "rows">): Promise<void> {
  const contexts = await database.rows<ContextRow & { seq: string }>(`SELECT * FROM contexts ORDER BY "userId", seq`);
  const entries = await database.rows(`SELECT "userId", seq FROM search_terms ORDER BY "userId", seq`);
  if (JSON.stringify(entries) !== JSON.stringify(contexts.map(({ userId, seq }) => ({ userId, seq }))))
    throw new Error("search_terms has other rows than the contexts");
  for (const { seq, ...row } of contexts) {
    const context = contextFromRow(row);
    const document = searchDocument(context);
    const prefix = ownerPrefix(context.userId);
    const [found] = await database.rows<IndexRow>(
      `SELECT url, "capturedAt", stored,
         terms = (?::tsvector[])[1] || array_to_tsvector(ARRAY['${prefix}+' || (seq >> 10), '${prefix}-' || (seq >> 15)]) AS agrees
       FROM search_terms WHERE "userId" = ? AND seq = ?`,
      binaryArray("tsvector[]", [await withPauses(toVector(prefix, document), () => undefined)]),
      context.userId,
      seq,
    );
    if (!found?.agrees) throw new Error(`context ${context.contextId} is indexed by other words than its text makes`);
    const isSame = found.stored.equals(document.stored) && found.url === context.url.toLowerCase();
    if (!isSame || Number(found.capturedAt) !== context.capturedAt)
      throw new Error(`context ${context.contextId} has other stored terms or another URL than its row`);
  }
}

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
