import * as fc from "fast-check";
import { expect, it } from "vitest";
import { runs } from "./deep.js";
import { createMessage, deleteMessage, heartbeat, updateMessage } from "./messages.js";
import type { TestClient } from "./test-client.js";
import { TestServer } from "./test-server.js";

/** A message, reduced to what decides which of two wins: its moment is in seconds after noon. */
interface Move {
  kind: "create" | "update" | "delete" | "heartbeat";
  id: string;
  at: number;
}

const ids = ["a", "b", "c"];
const timeOf = (at: number) => new Date(Date.parse("2026-01-31T12:00:00Z") + at * 1000).toISOString();

function messageOf({ kind, id, at }: Move, index: number) {
  const head = { messageId: `m${index}`, timestamp: timeOf(at) };
  if (kind === "create") return createMessage({ ...head, context: { id, title: `title ${index}`, content: "created" } });
  if (kind === "update") return updateMessage(id, { content: `content ${index}` }, head);
  if (kind === "delete") return deleteMessage(id, head);
  return { ...heartbeat(id, head.timestamp), id: head.messageId };
}

/** What the contract says of messages that arrive in this order: which succeed, and what is there afterwards. */
function expectedOf(moves: readonly Move[]) {
  const contexts = new Map<string, { title: string; content: string; writtenAt: number; seenAt?: number | undefined }>();
  const deleted = new Map<string, number>();
  const succeeds = moves.map(({ kind, id, at }, index) => {
    const stored = contexts.get(id);
    const isOld = stored ? at < stored.writtenAt : at < (deleted.get(id) ?? -Infinity);
    if (kind === "heartbeat" && stored) stored.seenAt = Math.max(at, stored.seenAt ?? at);
    else if (kind === "update" && !isOld && stored) Object.assign(stored, { content: `content ${index}`, writtenAt: at });
    else if (kind === "create" && !isOld) {
      deleted.delete(id);
      contexts.set(id, { title: `title ${index}`, content: "created", writtenAt: at, seenAt: stored?.seenAt });
    } else if (kind === "delete" && !(stored && isOld)) {
      contexts.delete(id);
      deleted.set(id, Math.max(at, deleted.get(id) ?? at));
    }
    return kind !== "update" || stored !== undefined || isOld;
  });
  const shown = [...contexts].map(([id, { title, content, seenAt }]) => [
    id,
    title,
    content,
    // Without a heartbeat, it was last seen when it was captured.
    seenAt === undefined ? "2026-01-31T12:00:00.000Z" : timeOf(seenAt),
  ]);
  return { succeeds, contexts: new Set(shown) };
}

async function stateOf(client: TestClient) {
  const answers = await Promise.all(ids.map((id) => client.get(`/context/${id}`)));
  const found = answers.flatMap(({ status, body }) =>
    status === 200 ? [[body.contextId, body.title, body.content, body.lastSeenAt]] : [],
  );
  return new Set(found);
}

/** Sends messages in batches of this size; the results, without times. */
async function send(client: TestClient, messages: readonly unknown[], size: number): Promise<any[]> {
  const results: any[] = [];
  for (let start = 0; start < messages.length; start += size)
    results.push(...(await client.batch(messages.slice(start, start + size))).body.results);
  return results;
}

const kinds = ["create", "create", "update", "update", "delete", "heartbeat"] as const;
const move = fc.record({ kind: fc.constantFrom(...kinds), id: fc.constantFrom(...ids), at: fc.nat({ max: 3 }) });
const anyMoves = fc.array(move, { minLength: 1, maxLength: 24, size: "max" });

it("applies messages in any order and batch size as the contract says, once", async () => {
  await using server = await TestServer.start();
  await fc.assert(
    fc.asyncProperty(anyMoves, fc.integer({ min: 1, max: 9 }), fc.infiniteStream(fc.nat()), async (moves, size, random) => {
      const client = await server.client();
      const messages = moves.map(messageOf);
      const { succeeds, contexts } = expectedOf(moves);
      const results = await send(client, messages, size);
      expect(results.map(({ error }) => error?.code)).toEqual(succeeds.map((isDone) => (isDone ? undefined : "not_found")));
      expect(await stateOf(client)).toEqual(contexts);
      expect((await client.get("/context/history")).body.total).toBe(contexts.size);
      // A message that failed was not recorded, and may succeed by now.
      const again = [...messages.keys()].filter((index) => succeeds[index]);
      again.sort(() => (random.next().value % 2 === 0 ? 1 : -1));
      const replayed = await send(
        client,
        again.map((index) => messages[index]),
        10 - size,
      );
      expect(replayed).toEqual(again.map((index) => ({ ...results[index], duplicate: true })));
      expect(await stateOf(client)).toEqual(contexts);
    }),
    runs(12),
  );
});

const century = fc.integer({ min: Date.parse("0000-01-01T00:00:00Z"), max: Date.parse("2026-01-01T00:00:00Z") });

it("finds each context by its time of capture once, in every century", async () => {
  await using server = await TestServer.start();
  await fc.assert(
    fc.asyncProperty(fc.array(century, { minLength: 30, maxLength: 30 }), async (random) => {
      const client = await server.client();
      // PostgreSQL reads the first a microsecond off, as a number of seconds.
      const times = [Date.parse("1720-01-01T00:00:00.001Z"), ...random].map((at) => new Date(at).toISOString());
      const contexts = times.flatMap((capturedAt, index) => ["a", "b"].map((sibling) => ({ id: `${index}${sibling}`, capturedAt })));
      expect((await client.batch(contexts.map((context) => createMessage({ context })))).body.failed).toBe(0);
      const all = contexts.map(({ id }) => id).toSorted();
      const pages: string[] = [];
      for (let cursor = ""; pages.length <= all.length;) {
        const { body } = await client.get(`/context/history?limit=1${cursor}`);
        pages.push(...body.contexts.map(({ contextId }: { contextId: string }) => contextId));
        if (body.nextCursor === undefined) break;
        cursor = `&cursor=${body.nextCursor}`;
      }
      expect(pages.toSorted()).toEqual(all);
      for (const at of times) {
        const before = times.filter((other) => other < at).length * 2;
        expect((await client.get(`/context/history?until=${at}`)).body.total).toBe(before);
        expect((await client.get(`/context/search?query=lighthouses&endTime=${at}`)).body.total).toBe(before);
      }
      const where = { type: "page" };
      expect((await client.post("/context/delete", { where, dryRun: true })).body.matches).toBe(all.length);
      const exported: string[] = (await client.get("/data/export")).body.match(/(?<="contextId":")\w+/g);
      expect(exported.toSorted()).toEqual(all);
    }),
    runs(1),
  );
});
