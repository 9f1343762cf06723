import { expect } from "vitest";
import { answers, cuts, refuses } from "../testing/index.js";
import { heartbeat, page } from "../world.js";
import { type NewMessage, updateMergeKey } from "../../src/core/message.js";
import { enqueueAll, type Scenario } from "./scenario.js";

/** The status while messages wait: it never says that nothing hinders them when something does. */
export const statusScenarios: Record<string, Scenario> = {
  async "without a key the status says so and what to do, and a key ends it at once"(world) {
    const gives: (() => unknown)[] = [() => undefined, () => "", () => Promise.reject(new Error("psk_secret"))];
    for (const give of gives) {
      const { queue, events } = world.start({ apiKey: give as () => string });
      const ids = await enqueueAll({ queue }, 2);
      const sent = world.service.received.length;
      for (let round = 0; round < 3; round += 1) expect(await queue.flush()).toMatchObject({ endedBy: "blocked", requests: 0 });
      expect(await queue.status()).toMatchObject({ reason: "auth", waiting: 2, lastError: expect.stringMatching(/^No key: .*`apiKey`/) });
      // Said once, however often it was asked for.
      expect(events.filter(({ type }) => type === "blocked")).toMatchObject([{ reason: "auth" }]);
      expect(JSON.stringify([events, await queue.status()])).not.toContain("psk_secret");
      // When the time is over the key is missing all the same.
      world.clock.advance(400_000);
      expect(await queue.status()).toMatchObject({ reason: "auth", blockedUntil: null });
      expect(world.service.received.length).toBe(sent);
      expect(await world.start().queue.flush()).toMatchObject({ endedBy: "empty", synced: 2 });
      expect(ids.every((id) => world.service.stored.has(id))).toBe(true);
      expect(await queue.status()).toMatchObject({ reason: "idle", waiting: 0, lastError: null });
    }
  },

  async "a key that was refused and then taken away is missing, and no longer refused"(world) {
    const { queue } = world.start();
    await enqueueAll({ queue }, 1);
    world.service.faults.push(refuses(401, "unauthorized"));
    await queue.flush();
    expect(await queue.status()).toMatchObject({ reason: "auth", lastError: expect.stringMatching(/^The key was refused.*`apiKey`/) });
    world.key = () => "";
    await queue.flush();
    expect(await queue.status()).toMatchObject({ reason: "auth", lastError: expect.stringMatching(/^No key/) });
    // The same key again is one to be tried.
    world.key = (account) => `key of ${account}`;
    expect(await queue.flush()).toMatchObject({ endedBy: "empty", synced: 1 });
  },

  async "what hindered the last attempt is the reason until another one says otherwise"(world) {
    const hinders: [Parameters<typeof world.service.faults.push>[0], string][] = [
      [cuts, "backing-off"],
      [refuses(503, "unavailable"), "backing-off"],
      [refuses(429, "rate_limited", { "Retry-After": "30" }), "rate-limited"],
      [refuses(403, "forbidden"), "auth"],
    ];
    for (const [fault, reason] of hinders) {
      const { queue } = world.start();
      await queue.enqueue(page());
      world.service.faults.push(fault);
      await queue.flush();
      expect((await queue.status()).blockedUntil).toBeGreaterThan(world.clock.now());
      world.clock.advance(3_700_000);
      // Nobody flushed yet; the worker that will is another one.
      expect(await world.start().queue.status()).toMatchObject({ reason, blockedUntil: null, waiting: 1, lastError: expect.any(String) });
      await queue.flush();
      expect(await queue.status()).toMatchObject({ reason: "idle", blockedUntil: null, waiting: 0, lastError: null });
    }
  },

  async "messages that the service could not take yet are backing off, one by one"(world) {
    const { queue } = world.start();
    await enqueueAll({ queue }, 250);
    world.service.judge = () => ({ code: "internal_error", retryable: true });
    const { nextAt } = await queue.flush();
    const status = await queue.status();
    expect(status).toMatchObject({ reason: "backing-off", waiting: 250, blockedUntil: nextAt });
    expect(status.lastError).toMatch(/internal_error/);
    // One more that nothing hinders.
    await queue.enqueue(page());
    expect(await queue.status()).toMatchObject({ reason: "idle", blockedUntil: null, waiting: 251 });
    world.service.judge = () => undefined;
    world.clock.advance(400_000);
    expect(await queue.flush()).toMatchObject({ endedBy: "empty", synced: 251 });
    expect(await queue.status()).toMatchObject({ reason: "idle", waiting: 0, lastError: null });
  },

  async "a disk that takes nothing down is a reason, until it does again"(world) {
    let isBroken = false;
    const store: typeof world.store = {
      read: (work) => world.store.read(work),
      write: (work, how) => (isBroken ? Promise.reject(new DOMException("No room.", "QuotaExceededError")) : world.store.write(work, how)),
    };
    const { queue } = world.start({ store });
    await enqueueAll({ queue }, 1);
    isBroken = true;
    const { endedBy, nextAt } = await queue.flush();
    expect(endedBy).toBe("storage-failed");
    expect(await queue.status()).toMatchObject({
      reason: "backing-off",
      waiting: 1,
      blockedUntil: nextAt,
      lastError: expect.stringContaining("QuotaExceededError"),
    });
    isBroken = false;
    expect(await queue.flush()).toMatchObject({ endedBy: "empty", synced: 1 });
    expect(await queue.status()).toMatchObject({ reason: "idle", lastError: null });
  },

  async "nothing hinders what was just taken, what is of others, and what was split"(world) {
    const { queue } = world.start();
    await enqueueAll({ queue }, 4);
    expect(await queue.status()).toMatchObject({ reason: "idle", waiting: 4, lastError: null });
    world.account = "bob";
    expect(await queue.status()).toMatchObject({ reason: "idle", waiting: 0 });
    world.account = null;
    expect(await queue.status()).toMatchObject({ reason: "idle", waiting: 0 });
    world.account = "ada";
    world.service.faults.push(() => answers(413, { error: "payload_too_large", message: "Too large." }));
    expect(await queue.flush({ deadlineMs: 60_000 })).toMatchObject({ endedBy: "empty", synced: 4 });
    expect(await queue.status()).toMatchObject({ reason: "idle", waiting: 0, lastError: null });
  },

  async "tells the host of what it had discarded or removed"(world) {
    const settled: unknown[] = [];
    const { queue, events } = world.start({ onSettled: (each) => settled.push(each) });
    world.service.judge = () => ({ code: "validation_error", retryable: false });
    const [discarded = ""] = await enqueueAll({ queue }, 2);
    await queue.flush();
    const waiting = await enqueueAll({ queue }, 2);
    events.length = 0;
    settled.length = 0;
    await queue.deadLetters.discard([discarded]);
    await queue.remove(() => true);
    expect(events).toEqual([
      { type: "dropped", reason: "rejected-by-server", kind: "page" },
      { type: "dropped", reason: "removed", kind: "page" },
      { type: "dropped", reason: "removed", kind: "page" },
      { type: "dropped", reason: "removed", kind: "page" },
    ]);
    // The two that were refused had been told as such.
    expect(settled).toEqual(waiting.map((id) => ({ id, status: "dropped", reason: "removed" })));
  },

  async "reports each queued message when it is stored, refused or dropped"(world) {
    const settled: unknown[] = [];
    const { queue } = world.start({ limits: { items: 4 }, onSettled: (each) => settled.push(each) });
    world.service.judge = ({ id }) =>
      id === "refused"
        ? { code: "validation_error", retryable: false }
        : id === "later"
          ? { code: "internal_error", retryable: true }
          : undefined;
    for (const id of ["full", "stored", "refused", "later", "old"]) await queue.enqueue(page(id, { id }));
    expect(settled).toEqual([{ id: "full", status: "dropped", reason: "full" }]);
    await queue.flush();
    expect(settled.slice(1)).toEqual([
      { id: "stored", status: "stored" },
      { id: "refused", status: "refused", code: "validation_error", message: "It is validation_error." },
      { id: "old", status: "stored" },
      // The report of what was dropped.
      { id: expect.any(String), status: "stored" },
    ]);
    world.clock.advance(8 * 86_400_000);
    await queue.flush();
    expect(settled.at(-1)).toEqual({ id: "later", status: "dropped", reason: "expired" });
  },

  async "what becomes of a later view or time of a context is not told as its own"(world) {
    const settled: unknown[] = [];
    const { queue } = world.start({ onSettled: (each) => settled.push(each) });
    const { payload } = page();
    await queue.enqueue({ id: "page", type: "create", payload: { context: { ...payload.context, id: "c1" } } });
    world.service.judge = ({ id }) =>
      id === "page" ? { code: "validation_error", retryable: false } : id === "time" ? { code: "not_found", retryable: false } : undefined;
    await queue.flush();
    await queue.enqueue({ ...heartbeat("c1"), id: "view" });
    const time: NewMessage = { id: "time", type: "update", payload: { context: { id: "c1", metadata: { viewedMs: 5 } } } };
    await queue.enqueue(time, { mergeKey: updateMergeKey("c1") });
    await queue.flush();
    expect(settled).toEqual([
      { id: "page", contextId: "c1", status: "refused", code: "validation_error", message: expect.any(String) },
      { id: "view", status: "stored" },
      { id: "time", status: "dropped", reason: "removed" },
    ]);
  },

  async "a deletion is told as what it is, and one that was not sent says nothing of its context"(world) {
    const settled: unknown[] = [];
    const { queue } = world.start({ onSettled: (each) => settled.push(each) });
    const deletion = (id: string, of: string): NewMessage => ({ id, type: "delete", payload: { context: { id: of } } });
    await queue.enqueue(deletion("sent", "c1"));
    await queue.flush();
    await queue.enqueue(deletion("late", "c2"));
    world.clock.advance(8 * 86_400_000);
    await queue.flush();
    expect(settled).toEqual([
      { id: "sent", contextId: "c1", status: "deleted" },
      { id: "late", status: "dropped", reason: "expired" },
    ]);
  },

  async "tells what became of a message that it could not take, under that message's names"(world) {
    let isFull = false;
    const store: typeof world.store = {
      read: (work) => world.store.read(work),
      write: (work, how) => (isFull ? Promise.reject(new DOMException("Full.", "QuotaExceededError")) : world.store.write(work, how)),
    };
    const settled: unknown[] = [];
    const { queue } = world.start({ store, limits: { items: 1, itemBytes: 2_000 }, onSettled: (each) => settled.push(each) });
    const create = (id: string, content: string): NewMessage => {
      const { payload } = page(content);
      return { id, type: "create", payload: { context: { ...payload.context, id: `context of ${id}` } } };
    };
    await queue.enqueue(create("kept", "The keeper."));
    await queue.enqueue(create("large", "x".repeat(3_000)));
    await queue.enqueue({ ...heartbeat(), id: "less" });
    isFull = true;
    await queue.enqueue(create("unwritten", "The lamp."));
    expect(settled).toEqual([
      { id: "large", contextId: "context of large", status: "dropped", reason: "too-large" },
      { id: "less", status: "dropped", reason: "full" },
      { id: "unwritten", contextId: "context of unwritten", status: "dropped", reason: "storage-failed" },
    ]);
  },
};
