import { expect } from "vitest";
import { answers, cuts, cutsAfterStoring, type Fault, portal, refuses, stalls } from "../testing/index.js";
import { page } from "../world.js";
import { enqueueAll, type Scenario, turns, within } from "./scenario.js";

/** A service that takes at most so many messages or bytes. */
const takesAtMost =
  (bound: { items?: number; bytes?: number }): Fault =>
  (store, { ids, bytes }) =>
    ids.length > (bound.items ?? Infinity) || bytes > (bound.bytes ?? Infinity)
      ? answers(413, { error: "payload_too_large", message: "Too large." })
      : store();

/** A service that refuses a whole batch for one of its messages. */
const refusesBatchWith =
  (poison: string): Fault =>
  (store, { ids }) =>
    ids.includes(poison) ? answers(400, { error: "bad_request", message: "Cannot be read." }) : store();

/** What must hold whatever the service, or what stands before it, answers. */
export const serviceScenarios: Record<string, Scenario> = {
  async "F4: a stored message whose answer was lost is a duplicate, and no failure"(world) {
    const { queue } = world.start();
    const ids = await enqueueAll({ queue }, 3);
    world.service.faults.push(cutsAfterStoring);
    const first = await queue.flush();
    expect(first).toMatchObject({ endedBy: "blocked", synced: 0 });
    world.clock.advance(first.nextAt! - world.clock.now());
    expect(await queue.flush()).toMatchObject({ duplicates: 3, synced: 0, failed: 0 });
    await world.drain(world.start());
    expect([...world.service.stored.keys()].sort()).toEqual(ids.toSorted());
    expect(await queue.status()).toMatchObject({ waiting: 0, deadLetters: 0, dropped: {} });
  },

  async "F5: each message gets the result of its own id, in whatever order they come"(world) {
    const { queue } = world.start();
    const ids = await enqueueAll({ queue }, 6);
    const [good, again, later, untold, never, unnamed] = ids;
    const results = [
      { messageId: never, status: "error", error: { code: "validation_error", message: "No.", retryable: false } },
      { messageId: later, status: "error", error: { code: "internal_error", message: "Hm.", retryable: true } },
      // Whether it may be sent again is not said.
      { messageId: untold, status: "error", error: { code: "new_code", message: "Hm." } },
      { messageId: again, status: "success", duplicate: true },
      { messageId: good, status: "success" },
    ];
    world.service.faults.push(withResults(results));
    world.service.faults.push(() => answers(500, {}));
    expect(await queue.flush()).toMatchObject({ synced: 1, duplicates: 1, failed: 1, requests: 1 });
    expect(await world.waiting()).toEqual([later, untold, unnamed]);
    expect(await queue.deadLetters.list(10)).toMatchObject([{ id: never, code: "validation_error", message: "No." }]);
    // Those that were not taken wait each for itself.
    const sent = world.service.received.length;
    expect((await queue.flush()).nextAt).toBeGreaterThan(world.clock.now());
    expect(world.service.received.length).toBe(sent);
  },

  async "F6: an answer that is foreign, too short or contradicts itself deletes nothing"(world) {
    const { queue } = world.start();
    const ids = await enqueueAll({ queue }, 3);
    const done = (messageId: string | undefined) => ({ messageId, status: "success" });
    const refused = (messageId: string | undefined) => ({
      messageId,
      status: "error",
      error: { code: "forbidden", message: "", retryable: true },
    });
    const lists = [
      [done("a"), done("b"), done("c")],
      [],
      [done(ids[0]), refused(ids[0])],
      [done(undefined), {}, null],
      [refused(ids[1]), done(ids[1])],
    ];
    for (const results of lists) {
      world.service.faults.push(withResults(results));
      await queue.flush();
      world.clock.advance(3_600_000);
      expect(await world.waiting()).toEqual(ids);
    }
    world.service.faults.push((store, batch) => withResults(batch.ids.map(done), "another")(store, batch));
    await queue.flush();
    expect(await world.waiting()).toEqual(ids);
  },

  async "F7: nothing is sent before the time that a 429 says, also by the next worker"(world) {
    const now = () => world.clock.now();
    const forms: [() => Record<string, string>, number][] = [
      [() => ({ "Retry-After": "30" }), 30_000],
      [() => ({ "Retry-After": new Date(now() + 40_000).toUTCString() }), 30_000],
      [() => ({ "X-RateLimit-Reset": String(Math.floor(now() / 1_000) + 200) }), 100_000],
      [() => ({ "X-RateLimit-Reset": String(now() + 400_000) }), 100_000],
      [() => ({ "Retry-After": "999999999" }), 3_600_000],
      [() => ({ "Retry-After": "-7" }), 500],
      [() => ({ "Retry-After": "" }), 500],
      [() => ({}), 500],
    ];
    for (const [headers, leastMs] of forms) {
      const { queue } = world.start();
      await queue.enqueue(page());
      world.service.faults.push(refuses(429, "rate_limited", headers()));
      const { nextAt } = await queue.flush();
      const waitMs = nextAt! - now();
      expect(waitMs).toBeGreaterThanOrEqual(leastMs);
      expect(waitMs).toBeLessThanOrEqual(3_600_250);
      const sent = world.service.received.length;
      world.clock.advance(waitMs - 1);
      const other = world.start().queue;
      expect(await other.flush()).toMatchObject({ endedBy: "blocked", nextAt, requests: 0 });
      expect(await other.status()).toMatchObject({ reason: "rate-limited", blockedUntil: nextAt });
      expect(await other.enqueue(page())).toMatchObject({ status: "queued" });
      expect(world.service.received.length).toBe(sent);
      world.clock.advance(1);
      expect(await other.flush()).toMatchObject({ endedBy: "empty" });
    }
    // A rate limit makes no batch smaller.
    const worker = world.start();
    await enqueueAll(worker, 50);
    world.service.faults.push(refuses(429, "rate_limited"));
    await world.drain(worker);
    expect(world.service.received.at(-1)?.ids).toHaveLength(50);
    // Nor do many of them make it smaller after a failure.
    await enqueueAll(worker, 100);
    for (let count = 0; count < 5; count += 1) world.service.faults.push(refuses(429, "rate_limited"));
    world.service.faults.push(refuses(503, "unavailable"));
    const before = world.service.received.length;
    await world.drain(worker);
    expect(world.service.received.slice(before).map(({ ids }) => ids.length)).toEqual([100, 100, 100, 100, 100, 100, 50, 50]);
  },

  async "F8: a server that is down is left alone, and its first success brings all"(world) {
    const worker = world.start();
    const ids = await enqueueAll(worker, 250);
    world.service.always = refuses(503, "unavailable");
    const start = world.clock.now();
    while (world.clock.now() < start + 3_600_000) {
      const { nextAt } = await world.start().queue.flush();
      world.clock.advance(nextAt! - world.clock.now());
    }
    expect(world.service.received.length).toBeLessThanOrEqual(35);
    // A smaller batch comes through a slow line.
    expect(world.service.received.slice(0, 8).map(({ ids: sent }) => sent.length)).toEqual([100, 50, 25, 12, 6, 3, 1, 1]);
    world.service.always = (store) => store();
    expect(await world.start().queue.flush()).toMatchObject({ endedBy: "empty", synced: 250 });
    expect([...world.service.stored.keys()]).toEqual(ids);
  },

  async "F9: an answer that is not the service's deletes nothing, and attempts time out"(world) {
    const ids = await enqueueAll(world.start(), 2);
    const stallsInBody: Fault = () => new Response(new ReadableStream({ start: (body) => body.enqueue(new TextEncoder().encode("{")) }));
    const success: Fault = () => answers(200, { ok: true, results: [] });
    for (const fault of [
      cuts,
      portal,
      stalls,
      stallsInBody,
      success,
      () => new Response(null, { status: 204 }),
      () => new Response("<html>Bad request</html>", { status: 400 }),
      refuses(404, "not_found"),
    ]) {
      const { queue } = world.start();
      world.service.faults.push(fault);
      const flushing = queue.flush();
      await turns();
      world.clock.advance(24_999);
      expect(await within(flushing)).toMatchObject({ endedBy: "blocked", synced: 0 });
      expect(await world.waiting()).toEqual(ids);
      expect((await queue.status()).lastError).toMatch(/^(?:The service|Something|No whole)/);
      world.clock.advance(400_000);
    }
    await world.drain(world.start());
    expect([...world.service.stored.keys()]).toEqual(ids);
  },

  async "F10: a refused key pauses without a storm, and another key ends the pause"(world) {
    const ids = await enqueueAll(world.start(), 3);
    let asked = 0;
    world.key = () => (asked++, "old");
    world.service.always = (store, { key }) => (key === "new" ? store() : answers(401, { error: "unauthorized", message: "No." }));
    expect(await world.start().queue.flush()).toMatchObject({ endedBy: "blocked", requests: 1 });
    expect([asked, world.service.received.length]).toEqual([2, 1]);
    for (let round = 0; round < 5; round += 1) await world.start().queue.flush();
    expect(world.service.received.length).toBe(1);
    const { queue } = world.start();
    expect(await queue.status()).toMatchObject({ reason: "auth", waiting: 3 });
    world.key = () => "new";
    expect(await queue.flush()).toMatchObject({ endedBy: "empty", synced: 3 });
    expect([...world.service.stored.keys()]).toEqual(ids);
    // A key that was renewed between two attempts is used at once.
    let turn = 0;
    world.key = () => (turn++ === 0 ? "old" : "new");
    await queue.enqueue(page());
    expect(await queue.flush()).toMatchObject({ endedBy: "empty", synced: 1 });
  },

  async "another server ends the wait for one that failed or asked to wait"(world) {
    for (const fault of [cuts, refuses(429, "rate_limited", { "Retry-After": "3000" }), refuses(404, "not_found")]) {
      let server: string | null = "http://dead.test";
      const { queue } = world.start({ baseUrl: () => server });
      await queue.enqueue(page());
      world.service.faults.push(fault);
      expect(await queue.flush()).toMatchObject({ endedBy: "blocked", requests: 1 });
      // The same server, and none, leave the wait as it is.
      for (server of ["http://dead.test", null, "http://dead.test"])
        expect(await queue.flush()).toMatchObject({ endedBy: "blocked", requests: 0 });
      server = "http://periscope.test";
      expect(await queue.flush()).toMatchObject({ endedBy: "empty", synced: 1 });
    }
    let address = "periscope.test";
    const { queue } = world.start({ baseUrl: () => address });
    await queue.enqueue(page());
    for (let round = 0; round < 2; round += 1) expect(await queue.flush()).toMatchObject({ endedBy: "blocked", requests: 0 });
    address = "http://periscope.test";
    expect(await queue.flush()).toMatchObject({ endedBy: "empty", synced: 1 });
  },

  async "the wait grows while baseUrl alternates between two servers that are down"(world) {
    let turn = 0;
    const { queue } = world.start({ baseUrl: () => `http://dead-${turn % 2}.test` });
    await queue.enqueue(page());
    world.service.always = cuts;
    for (; turn < 10; turn += 1) expect(await queue.flush()).toMatchObject({ endedBy: "blocked", requests: 1 });
    expect((await queue.status()).blockedUntil! - world.clock.now()).toBeGreaterThan(100_000);
  },

  async "a baseUrl that never answers does not hold up a flush that waits for a server"(world) {
    let hangs = false;
    const { queue } = world.start({ baseUrl: () => (hangs ? new Promise(() => {}) : "http://dead.test") });
    await queue.enqueue(page());
    world.service.faults.push(refuses(429, "rate_limited", { "Retry-After": "3000" }));
    await queue.flush();
    hangs = true;
    for (const [deadlineMs, ms] of [
      [100, 100],
      [60_000, 500],
    ] as const) {
      const flushing = queue.flush({ deadlineMs });
      await turns();
      world.clock.advance(ms);
      expect(await within(flushing)).toMatchObject({ endedBy: "blocked", requests: 0 });
    }
  },

  async "F11: a batch that is too large is halved until it passes, and grows again"(world) {
    const worker = world.start();
    const ids = await enqueueAll(worker, 100);
    world.service.always = takesAtMost({ items: 10 });
    await worker.queue.flush();
    const sizes = world.service.received.map(({ ids: of }) => of.length);
    expect(sizes.slice(0, 5)).toEqual([100, 50, 25, 12, 6]);
    expect([...world.service.stored.keys()]).toEqual(ids);
    world.service.always = (store) => store();
    await enqueueAll(worker, 400);
    await worker.queue.flush();
    expect(Math.max(...world.service.received.slice(10).map(({ ids: of }) => of.length))).toBeGreaterThan(40);
    // One that is too large alone is given up, and the rest goes.
    const large = await worker.queue.enqueue(page("x".repeat(50_000)));
    await enqueueAll(worker, 20);
    world.service.always = takesAtMost({ bytes: 40_000 });
    await worker.queue.flush();
    expect(await worker.queue.deadLetters.list(9)).toMatchObject([{ id: "id" in large ? large.id : "", code: "payload_too_large" }]);
    expect(await world.waiting()).toEqual([]);
  },

  async "F12: of a batch refused as a whole, only the message at fault is given up"(world) {
    const worker = world.start();
    const ids = await enqueueAll(worker, 150);
    const poison = ids[73]!;
    world.service.always = refusesBatchWith(poison);
    await worker.queue.flush();
    expect(await worker.queue.deadLetters.list(9)).toMatchObject([{ id: poison, code: "bad_request" }]);
    expect([...world.service.stored.keys()].sort()).toEqual(ids.filter((id) => id !== poison).sort());
    expect(world.service.received.length).toBeLessThan(25);
  },

  async "F12: workers that live for one request each find the message at fault"(world) {
    const ids = await enqueueAll(world.start(), 100);
    const poison = ids[73]!;
    world.service.always = refusesBatchWith(poison);
    while ((await world.waiting()).length > 0) {
      expect(world.service.received.length).toBeLessThan(25);
      const worker = world.start();
      worker.killAt("after-settle");
      await worker.outcome(worker.queue.flush());
    }
    expect(await world.start().queue.deadLetters.list(9)).toMatchObject([{ id: poison, code: "bad_request" }]);
    expect([...world.service.stored.keys()].sort()).toEqual(ids.filter((id) => id !== poison).sort());
  },

  async "F29: a dead letter that is tried again goes under its id, once"(world) {
    const { queue } = world.start();
    const [id = "", other = ""] = await enqueueAll({ queue }, 2);
    world.service.judge = () => ({ code: "validation_error", retryable: false });
    await queue.flush();
    expect(await queue.status()).toMatchObject({ waiting: 0, deadLetters: 2 });
    expect(await queue.flush()).toMatchObject({ requests: 0 });
    world.service.judge = () => undefined;
    expect(await queue.deadLetters.retry([id, id, "unknown"])).toBe(1);
    expect(await queue.deadLetters.discard([other])).toBe(1);
    await world.drain(world.start());
    expect([...world.service.stored.values()].filter(({ type }) => type === "create").map((message) => message.id)).toEqual([id]);
    expect(await queue.status()).toMatchObject({ waiting: 0, bytes: 0, deadLetters: 0 });
    const bodies = await world.store.read(async (tx) => (await tx.all("bodies")).length);
    expect(bodies).toBe(0);
  },

  async "a refused message that is retried is no younger for it"(world) {
    const { queue } = world.start();
    await enqueueAll({ queue }, 1);
    const refuse = async () => {
      await queue.flush();
      return (await queue.deadLetters.list(1)).map(({ id }) => id);
    };
    world.service.judge = () => ({ code: "validation_error", retryable: false });
    const ids = await refuse();
    world.clock.advance(6 * 86_400_000);
    expect(await queue.deadLetters.retry(ids)).toBe(1);
    expect(await refuse()).toEqual(ids);
    world.service.judge = () => undefined;
    world.clock.advance(86_400_001);
    await queue.deadLetters.retry(ids);
    expect(await queue.flush()).toMatchObject({ synced: 0 });
    expect(await queue.status()).toMatchObject({ waiting: 0, deadLetters: 0, dropped: { expired: 1 } });
  },

  async "refused messages are kept within bounds of number, bytes and age"(world) {
    const { queue, events } = world.start({ limits: { dead: 3, bytes: 2_000, ageMs: 86_400_000 } });
    world.service.judge = () => ({ code: "validation_error", retryable: false });
    const refuse = async (count: number, size: number) => {
      await enqueueAll({ queue }, count, size);
      await queue.flush();
      return (await queue.status()).deadLetters;
    };
    expect([await refuse(2, 0), await refuse(2, 0), await refuse(1, 1_200)]).toEqual([2, 3, 2]);
    world.clock.advance(86_400_001);
    expect(await refuse(1, 0)).toBe(1);
    expect(await world.store.read(async (tx) => (await tx.all("bodies")).length)).toBe(1);
    expect((await queue.status()).dropped).toEqual({ "rejected-by-server": 5 });
    expect(events.filter(({ type }) => type === "dropped").length).toBe(5);
  },

  async "a page that the service's own filter refuses is not kept here either"(world) {
    const { queue, events } = world.start();
    await enqueueAll({ queue }, 1);
    world.service.judge = () => ({ code: "privacy_rejected", retryable: false });
    await queue.flush();
    expect(await world.store.read(async (tx) => (await tx.all("bodies")).length)).toBe(0);
    expect(await queue.status()).toMatchObject({ deadLetters: 0, dropped: { "rejected-by-server": 1 } });
    expect(events).toContainEqual({ type: "dropped", reason: "rejected-by-server", kind: "page" });
  },
};

function withResults(results: unknown[], messageId?: string): Fault {
  return (store) => {
    const real = store().json() as Promise<{ messageId: string }>;
    return real.then((answer) => answers(207, { ...answer, messageId: messageId ?? answer.messageId, results }));
  };
}
