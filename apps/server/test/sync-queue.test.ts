import { createQueue, type NewMessage, privacyFilter } from "@periscope/sync/core";
import { memoryLocks, memoryStore } from "@periscope/sync/testing";
import { expect, test } from "vitest";
import { numbers } from "./deep.js";
import { TestServer } from "./test-server.js";

function page(index: number): NewMessage {
  const tabMetadata = { id: "7", url: `https://articles.example/${index}`, title: `Page ${index}` };
  const context = { id: `page-${index}`, type: "page", tabId: "7", capturedAt: "2026-01-31T12:00:00Z", tabMetadata } as const;
  return { type: "create", payload: { context: { ...context, content: `Text ${index}.` } } };
}

test("delivers 300 pages exactly once over a line that keeps breaking", async () => {
  await using server = await TestServer.start();
  const client = await server.client();
  const next = numbers(31);
  const random = () => next(1_000_000) / 1_000_000;
  const cut = { asking: 0, answering: 0 };
  // A line that is cut before the request is through, or after the server did what it was asked.
  const breakingFetch = async (url: string, init: RequestInit): Promise<Response> => {
    const chance = random();
    if (chance < 0.25) return (cut.asking++, await Promise.reject(new TypeError("cut")));
    const response = await fetch(url, init);
    if (chance >= 0.5) return response;
    cut.answering++;
    await response.text();
    throw new TypeError("cut");
  };
  // Waits pass at once.
  let ahead = 0;
  const after = (ms: number, call: () => void) => {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  };
  let duplicates = 0;
  const store = memoryStore();
  const locks = memoryLocks();
  const start = () =>
    createQueue({
      baseUrl: server.baseUrl,
      fetch: breakingFetch,
      account: () => client.userId,
      apiKey: client.key,
      filter: privacyFilter(),
      store,
      locks,
      random,
      batch: { items: 20 },
      clock: { now: () => Date.now() + ahead, after },
      onEvent: (event) => void (duplicates += event.type === "batch" ? event.duplicates : 0),
    });
  const ids: string[] = [];
  for (let index = 0; index < 300; index += 1) {
    const kept = await start().enqueue(page(index));
    if (kept.status === "queued") ids.push(kept.id);
  }
  expect(ids).toHaveLength(300);
  let isEmpty = false;
  for (let round = 0; round < 200 && !isEmpty; round += 1) {
    const { nextAt } = await start().flush();
    isEmpty = nextAt === null;
    ahead += Math.max(0, (nextAt ?? 0) - Date.now() - ahead);
  }
  expect(await start().status()).toMatchObject({ waiting: 0, deadLetters: 0, dropped: {} });
  expect(Math.min(cut.asking, cut.answering)).toBeGreaterThan(3);
  expect(duplicates).toBeGreaterThan(0);

  const stored = await server.rows<{ contextId: string }>(`SELECT "contextId" FROM contexts`);
  expect(stored.map(({ contextId }) => contextId).sort()).toEqual(ids.map((_, index) => `page-${index}`).sort());
});
