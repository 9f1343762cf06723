import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { anyMoves, contextIds, distinctMoves, expectedOf, messagesOf, shuffled } from "./message-model.js";
import { runs } from "./deep.js";
import { createMessage } from "./messages.js";
import type { TestClient } from "./test-client.js";
import { TestServer } from "./test-server.js";

let server: TestServer;
beforeAll(async () => void (server = await TestServer.start()));
afterAll(() => server[Symbol.asyncDispose]());

const codePoints = (text: string) => Array.from(text).length;

/** The user's contexts as they are read one by one, whole. */
async function stateOf(client: TestClient): Promise<Map<string, any>> {
  const answers = await Promise.all(contextIds.map(async (id) => [id, await client.get(`/context/${id}`)] as const));
  return new Map(answers.filter(([, { status }]) => status === 200).map(([id, { body }]) => [id, { ...body, userId: undefined }]));
}

const named = (state: Map<string, any>) =>
  new Map([...state].map(([id, { title, content, lastSeenAt }]) => [id, { title, content, lastSeenAt }]));

const withoutTime = ({ timestamp: _time, ...result }: any) => result;

/** Sends messages one by one, or in batches of `size`, and gives their results, each as an item of a batch has it. */
async function send(client: TestClient, messages: readonly unknown[], size: number): Promise<any[]> {
  const results: any[] = [];
  for (let start = 0; start < messages.length; start += size) {
    if (size > 1) results.push(...(await client.batch(messages.slice(start, start + size))).body.results);
    else {
      const { status, body } = await client.sync(messages[start]);
      results.push(status === 201 ? body : { status: "error", error: { code: body.error } });
    }
  }
  return results;
}

describe("messages in any order", () => {
  it("have the same effect one by one and in batches of any size", async () => {
    await fc.assert(
      fc.asyncProperty(anyMoves, fc.integer({ min: 2, max: 9 }), async (moves, size) => {
        const [singly, batched] = [await server.client(), await server.client()];
        const messages = messagesOf(moves);
        const expected = expectedOf(moves);
        const results = await send(singly, messages, 1);
        expect(results.map(({ status, error }) => error?.code ?? status)).toEqual(
          expected.succeeds.map((ok) => (ok ? "success" : "not_found")),
        );
        const inBatches = await send(batched, messages, size);
        const succeeded = (_result: unknown, index: number) => expected.succeeds[index];
        expect(inBatches.filter(succeeded).map(withoutTime)).toEqual(results.filter(succeeded).map(withoutTime));
        expect(named(await stateOf(singly))).toEqual(expected.contexts);
        expect(named(await stateOf(batched))).toEqual(expected.contexts);
        expect((await singly.get("/context/history")).body.total).toBe(expected.contexts.size);
      }),
      runs(8),
    );
  });

  it("change nothing when they are replayed", async () => {
    const replays = anyMoves.chain((moves) =>
      fc.record({ moves: fc.constant(moves), order: shuffled(moves.length), size: fc.integer({ min: 1, max: 9 }) }),
    );
    await fc.assert(
      fc.asyncProperty(replays, async ({ moves, order, size }) => {
        const client = await server.client();
        const messages = messagesOf(moves);
        const first = await send(client, messages, 5);
        const before = await stateOf(client);
        // A message that failed was not recorded, and may succeed by now.
        const again = order.filter((index) => first[index].status === "success");
        const replayed = await send(
          client,
          again.map((index) => messages[index]),
          size,
        );
        expect(replayed).toEqual(again.map((index) => ({ ...first[index], duplicate: true })));
        expect(await stateOf(client)).toEqual(before);
        const inOrder = messages.filter((_message, index) => first[index].status === "success");
        expect((await send(client, inOrder, 100)).every(({ duplicate }) => duplicate)).toBe(true);
        expect(await stateOf(client)).toEqual(before);
      }),
      runs(8),
    );
  });

  it("converge to the newest create or delete in any order of arrival", async () => {
    await fc.assert(
      fc.asyncProperty(distinctMoves, async ({ moves, order }) => {
        const client = await server.client();
        const messages = messagesOf(moves);
        await send(
          client,
          order.map((index) => messages[index]),
          4,
        );
        const newest = contextIds.flatMap((id) => {
          const of = moves.map((move, index) => ({ ...move, index })).filter(({ contextId }) => contextId === id);
          const [last] = of.sort((a, b) => b.at - a.at);
          return last?.kind === "create" ? [[id, `content ${last.index}`] as const] : [];
        });
        const state = await stateOf(client);
        expect(new Map([...state].map(([id, { content }]) => [id, content]))).toEqual(new Map(newest));
      }),
      runs(12),
    );
  });

  it("take effect once when copies race each other", async () => {
    await fc.assert(
      fc.asyncProperty(distinctMoves, async ({ moves }) => {
        const client = await server.client();
        const messages = messagesOf(moves);
        const answers = await Promise.all([
          ...messages.map(async (message) => [(await client.sync(message)).body]),
          client.batch(messages).then(({ body }) => body.results),
          client.batch(messages.toReversed()).then(({ body }) => body.results),
        ]);
        const results = answers.flat();
        expect(results.map(({ status }) => status)).toEqual(results.map(() => "success"));
        for (const { id } of messages) {
          const of = results.filter(({ messageId }) => messageId === id);
          expect(of.filter(({ duplicate }) => duplicate !== true)).toHaveLength(1);
          expect(new Set(of.map(({ duplicate: _duplicate, ...rest }) => JSON.stringify(rest))).size).toBe(1);
        }
      }),
      runs(5),
    );
  });
});

async function store(client: TestClient, contexts: ReadonlyArray<Record<string, unknown>>): Promise<void> {
  if (contexts.length === 0) return;
  const { body } = await client.batch(contexts.map((context) => createMessage({ context })));
  expect(body.failed).toBe(0);
}

const levels = ["public", "private", "filtered", "restricted"] as const;
const idText = fc
  .string({ unit: fc.constantFrom("a", "A", "b", "B", "0", "9", "_", ".", ":", "-"), minLength: 1, maxLength: 4 })
  .filter((id) => id !== "." && id !== "..");

const storedContexts = fc.uniqueArray(
  fc.record({
    id: idText,
    day: fc.integer({ min: 1, max: 4 }),
    type: fc.constantFrom("page", "selection", "navigation"),
    privacyLevel: fc.constantFrom(...levels),
  }),
  { selector: ({ id }) => id, maxLength: 40, size: "max" },
);

const day = (n: number) => `2026-01-0${n}T00:00:00.000Z`;

const historyFilter = fc.record(
  {
    since: fc.integer({ min: 1, max: 3 }),
    until: fc.integer({ min: 4, max: 5 }),
    type: fc.constantFrom("page", "selection"),
    privacyLevel: fc.constantFrom(...levels),
  },
  { requiredKeys: [] },
);

describe("history", () => {
  it("pages through exactly what matches, by offset and by cursor", async () => {
    const cases = fc.record({
      stored: storedContexts,
      filter: historyFilter,
      limit: fc.integer({ min: 1, max: 12 }),
      bound: fc.constantFrom("public", "filtered", "restricted", "restricted"),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ stored, filter, limit, bound }) => {
        const owner = await server.client();
        await store(
          owner,
          stored.map(({ day: n, ...context }) => ({ ...context, capturedAt: day(n) })),
        );
        const reader = await server.client({ userId: owner.userId, maxPrivacyLevel: bound });
        const { since = 1, until = 5, type, privacyLevel } = filter;
        const expected = stored
          .filter((context) => context.day >= since && context.day < until && (type ?? context.type) === context.type)
          .filter((context) => (privacyLevel ?? context.privacyLevel) === context.privacyLevel)
          .filter((context) => levels.indexOf(context.privacyLevel) <= levels.indexOf(bound as (typeof levels)[number]))
          .sort((a, b) => b.day - a.day || (a.id < b.id ? -1 : 1))
          .map(({ id }) => id);
        const given = { ...filter, since: filter.since && day(filter.since), until: filter.until && day(filter.until) };
        const query = new URLSearchParams(Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined));
        query.set("limit", String(limit));

        const page = async (place: Record<string, string>) => {
          const { status, body } = await reader.get(
            `/context/history?${new URLSearchParams([...query, ...Object.entries(place)]).toString()}`,
          );
          expect([status, body.total, body.limit]).toEqual([200, expected.length, limit]);
          return { ids: body.contexts.map(({ contextId }: any) => contextId) as string[], next: body.nextCursor as string | undefined };
        };
        for (let offset = 0; offset <= expected.length; offset += limit)
          expect((await page({ offset: String(offset) })).ids).toEqual(expected.slice(offset, offset + limit));
        const pages = [await page({})];
        for (let last = pages.at(-1); last?.next && pages.length <= expected.length; last = pages.at(-1))
          pages.push(await page({ cursor: last.next }));
        expect(pages.flatMap(({ ids }) => ids)).toEqual(expected);
        expect(pages).toHaveLength(Math.max(1, Math.ceil(expected.length / limit)));
      }),
      runs(12),
    );
  });
});

const anyText = fc.string({
  unit: fc.oneof(
    fc.constantFrom("a", " ", "é", "😀", "👩‍🚀", "\ud83d", "\ude00", "\0", "e\u0301"),
    fc.string({ unit: "binary", maxLength: 1 }),
  ),
});

describe("content in parts", () => {
  it("joins to the whole, in well-formed parts of at most maxChars", async () => {
    const client = await server.client();
    await fc.assert(
      fc.asyncProperty(anyText, fc.integer({ min: 1, max: 12 }), async (content, maxChars) => {
        await client.sync(createMessage({ timestamp: new Date().toISOString(), context: { id: "c", content, privacyLevel: "public" } }));
        const whole = (await client.get("/context/c")).body;
        expect(whole.nextContentCursor).toBeUndefined();
        for (const path of ["/context/c", "/context/current"]) {
          const parts: string[] = [];
          let cursor: string | undefined;
          do {
            const { status, body } = await client.get(
              `${path}?maxChars=${maxChars}${cursor === undefined ? "" : `&contentCursor=${cursor}`}`,
            );
            expect(status).toBe(200);
            parts.push(body.content);
            cursor = body.nextContentCursor;
          } while (cursor !== undefined);
          expect(parts.join("")).toBe(whole.content);
          expect(parts.filter((part) => !part.isWellFormed())).toEqual([]);
          // A pair that is longer than what was asked for is given whole.
          expect(parts.filter((part) => part.length > Math.max(maxChars, codePoints(part) === 1 ? 2 : 0))).toEqual([]);
          expect(parts.slice(0, -1).filter((part) => part.length < maxChars - 1)).toEqual([]);
        }
      }),
      runs(16),
    );
  });
});

describe("search", () => {
  const words = ["harbour", "lantern", "keeper", "storm", "granite", "signal"];
  const text = fc.array(fc.constantFrom(...words), { maxLength: 12 }).map((chosen) => chosen.join(" "));
  const query = fc
    .array(fc.tuple(fc.constantFrom("", "-", '"', "OR "), fc.constantFrom(...words)), { minLength: 1, maxLength: 4 })
    .map((parts) => parts.map(([mark, word]) => (mark === '"' ? `"${word}"` : mark + word)).join(" "));

  it("pages through one ranked list of the user's own contexts", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(text, text), { maxLength: 25, size: "max" }),
        query,
        fc.integer({ min: 1, max: 7 }),
        async (stored, wanted, limit) => {
          const client = await server.client();
          const contexts = stored.map(([title, content], index) => ({ id: `c${index}`, capturedAt: day((index % 4) + 1), content, title }));
          await store(client, contexts);
          const ask = async (size: number, offset: number) => {
            const { status, body } = await client.get(
              `/context/search?${new URLSearchParams({ query: wanted, limit: String(size), offset: String(offset) }).toString()}`,
            );
            expect([status, body.query]).toEqual([200, wanted]);
            return body;
          };
          const all = await ask(1000, 0);
          expect(all.results).toHaveLength(all.total);
          const found: string[] = all.results.map(({ contextId }: any) => contextId);
          expect(new Set(found).size).toBe(found.length);
          expect(contexts.map(({ id }) => id)).toEqual(expect.arrayContaining(found));
          const relevance: number[] = all.results.map((result: any) => result.relevance);
          expect(relevance).toEqual(relevance.toSorted((a, b) => b - a));
          expect(all.results.filter(({ snippet }: any) => codePoints(snippet) > 240)).toEqual([]);
          const tiles = [];
          for (let offset = 0; offset <= all.total; offset += limit) tiles.push(...(await ask(limit, offset)).results);
          expect(tiles).toEqual(all.results);
        },
      ),
      runs(8),
    );
  });
});
