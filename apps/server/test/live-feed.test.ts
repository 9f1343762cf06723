import { mkdtempDisposableSync } from "node:fs";
import { scratchFolder } from "@periscope/harness/temporary-directory";
import type { LiveEvent, SubscribedFrame } from "@periscope/schemas";
import { expect, it } from "vitest";
import { toPosition } from "../src/live/live.store.js";
import { type Subscriber, UserFeed } from "../src/live/user-feed.js";
import { engineOf } from "../src/storage/engine.js";
import { createTestDatabase } from "./test-database.js";
import { noChanges, writtenContext } from "./written-context.js";

const userId = "ada";
const wanted = new AbortController().signal;

/** The events of one user over a database of its own; gone at the end of the block. */
async function openFeed() {
  const folder = mkdtempDisposableSync(`${scratchFolder()}/periscope-feed-`);
  const database = await createTestDatabase(folder.path);
  const { [Symbol.asyncDispose]: close, ...storage } = await engineOf(database.url).open({ searchTimeoutMs: 60_000 });
  await storage.access.createUser(userId, Date.now());
  const calls = { read: 0, afterLook: async () => {} };
  const frames: Array<SubscribedFrame | LiveEvent> = [];
  const feed = new UserFeed({
    userId,
    store: { ...storage.live, read: (...asked) => (calls.read++, storage.live.read(...asked)) },
    contexts: {
      ...storage.contexts,
      async currentHead(...asked) {
        const head = await storage.contexts.currentHead(...asked);
        await calls.afterLook();
        return head;
      },
    },
    clock: Date.now,
    onFailure: (error) => expect.unreachable(String(error)),
  });
  const subscriber: Subscriber = {
    bounds: { userId, maxPrivacyLevel: "restricted" },
    filter: {},
    send: ({ json }) => frames.push(JSON.parse(json) as LiveEvent),
  };
  return {
    feed,
    subscriber,
    calls,
    frames,
    async write(contextId: string, capturedAt: number) {
      const state = await storage.userData.load(userId, { messages: [], contextIds: [] });
      const created = [writtenContext(userId, contextId, { capturedAt })];
      expect(await storage.userData.commit(userId, { ...noChanges, created, revision: state?.revision ?? 0, now: Date.now() })).toBe(true);
    },
    async [Symbol.asyncDispose]() {
      await close();
      await database[Symbol.asyncDispose]();
      folder.remove();
    },
  };
}

it("reads nothing for subscriptions that were replaced while they waited", async () => {
  await using live = await openFeed();
  await live.feed.subscribe(live.subscriber, undefined, wanted);
  const after = toPosition(live.frames[0]?.id ?? "");
  await live.write("page", 1_000);
  const replacements = Array.from({ length: 10 }, () => new AbortController());
  live.calls.read = 0;
  const subscribed = replacements.map(({ signal }) => live.feed.subscribe(live.subscriber, after, signal));
  for (const replaced of replacements.slice(0, -1)) replaced.abort();
  await Promise.all(subscribed);
  // Twice until nothing is new, and once what the last one missed.
  expect(live.calls.read).toBe(3);
});

it("sends ids that grow, also while every look at what is current finds another page", async () => {
  await using live = await openFeed();
  await live.feed.subscribe(live.subscriber, undefined, wanted);
  let pages = 0;
  live.calls.afterLook = async () => {
    if (pages < 20) await live.write(`c${++pages}`, 1_000 + pages);
  };
  await live.write("c0", 1_000);
  live.feed.wake();
  await expect.poll(() => live.frames.at(-1)).toMatchObject({ event: "current.changed", context: { contextId: "c20" } });
  const ids = live.frames.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)].toSorted());
});
