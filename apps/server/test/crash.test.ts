import { setTimeout as pause } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import { isDeep, numbers, seed } from "./deep.js";
import { createMessage, deleteMessage, updateMessage } from "./messages.js";
import { Installation, type ServerProcess } from "./server-process.js";
import type { TestClient } from "./test-client.js";
import { testEngine } from "./test-database.js";

const below = numbers(seed);

/** A message that was sent, and its result when one arrived: without one nobody knows whether it took effect. */
interface Sent {
  contextId: string;
  message: Record<string, unknown>;
  /** Content of the context after it; undefined once it is deleted. */
  content: string | undefined;
  result?: Record<string, unknown>;
}

/** What writers have sent to one life of a server. Each content has `word`, which is nowhere else. */
class Ledger {
  readonly sent: Sent[] = [];

  constructor(readonly word: string) {}

  /** Writes one message after the other until the server is gone: creates, and updates and deletes of what was created. */
  async writeSingly(client: TestClient): Promise<void> {
    const own: string[] = [];
    for (;;) {
      const contextId = below(2) === 0 ? own[below(own.length)] : undefined;
      const entry = this.#next(contextId === undefined ? "create" : below(10) < 7 ? "update" : "delete", contextId);
      const answer = await client.syncUntilTaken(entry.message).catch(() => undefined);
      if (!answer) return;
      if (answer.status !== 201) throw new Error(`A sync was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
      entry.result = answer.body;
      if (contextId === undefined) own.push(entry.contextId);
      else if (entry.content === undefined) own.splice(own.indexOf(contextId), 1);
    }
  }

  /** Writes batches of creates until the server is gone. */
  async writeBatches(client: TestClient): Promise<void> {
    for (;;) {
      const entries = Array.from({ length: 1 + below(12) }, () => this.#next("create"));
      const answer = await client.batch(entries.map(({ message }) => message)).catch(() => undefined);
      if (!answer) return;
      if (answer.status === 503) continue;
      if (answer.body.failed !== 0) throw new Error(`A batch was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
      for (const [index, entry] of entries.entries()) entry.result = answer.body.results[index];
      await pause(1);
    }
  }

  #next(kind: "create" | "update" | "delete", known?: string): Sent {
    const count = this.sent.length;
    const contextId = known ?? `${this.word}-${count}`;
    // Long enough for several pages of the database, so that there is something to write by halves.
    const content = `${this.word} number ${count} ${"lighthouse keepers kept the lamp ".repeat(below(400))}`;
    const head = { messageId: `${this.word}-${count}`, timestamp: new Date(Date.UTC(2026, 0, 31, 12) + count).toISOString() };
    const message = {
      create: () => createMessage({ ...head, context: { id: contextId, content, privacyLevel: "public" } }),
      update: () => updateMessage(contextId, { content }, head),
      delete: () => deleteMessage(contextId, head),
    }[kind]();
    const entry: Sent = { contextId, message, content: kind === "delete" ? undefined : content };
    this.sent.push(entry);
    return entry;
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
    const ledger = new Ledger(`round${round}`);
    const writers = [ledger.writeSingly(client), ledger.writeSingly(client), ledger.writeBatches(client)];
    await vi.waitFor(() => expect(ledger.sent.filter(({ result }) => result !== undefined).length).toBeGreaterThan(5), 60_000);
    await pause(below(300));
    await server.end("SIGKILL");
    await Promise.all(writers);
    server = await installation.serve();
    await expectKept(ledger, client);
    await expectWhole(installation);
  }
});

/** Compares what the restarted server has with what was sent and answered; then sends it all again. */
async function expectKept({ sent, word }: Ledger, client: TestClient): Promise<void> {
  const found = new Set<string>();
  for (let offset = 0, total = 1; offset < total; offset += 1000) {
    const { body } = await client.get(`/context/search?query=${word}&limit=1000&offset=${offset}`);
    for (const { contextId } of body.results) found.add(contextId);
    total = body.total;
  }
  for (const [contextId, entries] of Map.groupBy(sent, (entry) => entry.contextId)) {
    const content: string | undefined = (await client.get(`/context/${contextId}`)).body.content;
    const pending = entries.find(({ result }) => result === undefined);
    const acknowledged = entries.findLast(({ result }) => result !== undefined);
    const isKept = pending !== undefined && content === pending.content && content !== acknowledged?.content;
    expect({ contextId, content, isFound: found.delete(contextId) }).toEqual({
      contextId,
      content: isKept ? pending.content : acknowledged?.content,
      isFound: content !== undefined,
    });
    for (const { message, result } of entries) {
      const { status, body } = await client.syncUntilTaken(message);
      // Context and record of the message come together or not at all.
      const { duplicate, ...answer } = body;
      expect([status, duplicate, answer]).toEqual([201, result !== undefined || isKept ? true : undefined, result ?? answer]);
    }
  }
  expect([...found]).toEqual([]);
}

/** The database is sound, and has a record of a message for each context and tombstone. */
async function expectWhole({ database }: Installation): Promise<void> {
  const isSqlite = testEngine() === "sqlite";
  const sound = isSqlite ? [{ integrity_check: "ok" }] : [];
  expect(isSqlite ? await database.rows("PRAGMA integrity_check") : []).toEqual(sound);
  if (isSqlite) await database.rows("INSERT INTO search_index(search_index) VALUES ('integrity-check')");
  const stored = await database.rows<{ contextId: string }>(`SELECT "contextId" FROM contexts UNION SELECT "contextId" FROM tombstones`);
  const recorded = await database.rows<{ result: string }>("SELECT result FROM processed_messages");
  const idOf = ({ result }: { result: string }): string => JSON.parse(result).contextId;
  expect(new Set(recorded.map(idOf))).toEqual(new Set(stored.map(({ contextId }) => contextId)));
}

it("starts after it was killed during its first start", async () => {
  for (const wait of isDeep ? [50, 150, 250, 350, 450, 550] : [50 + below(400)]) {
    await using installation = await Installation.create(rates);
    const killed = installation.spawn();
    await pause(wait + below(100));
    await killed.end("SIGKILL");
    const server = await installation.serve();
    const client = await installation.client(() => server);
    expect((await client.get("/context/history")).body.total).toBe(0);
  }
});
