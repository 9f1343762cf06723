import { expect } from "vitest";
import type { Step, Store } from "../src/core/index.js";
import { answers, cuts, cutsAfterStoring, type Fault, portal, refuses, stalls } from "../src/testing/index.js";
import { heartbeat, page, World } from "./world.js";

/** What must hold of a queue, whatever its store. A mutated queue must fail one of them. */
export type Scenario = (world: World) => Promise<void>;

const steps: Step[] = ["before-enqueue", "after-enqueue", "after-select", "before-send", "after-answer", "before-settle", "after-settle"];

/** Lets everything that is due now happen, without any time passing on the clock. */
export const turns = async (count = 30): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

async function enqueueAll({ queue }: { queue: ReturnType<World["start"]>["queue"] }, count: number, size = 0): Promise<string[]> {
  const ids = [];
  for (let index = 0; index < count; index += 1) {
    const kept = await queue.enqueue(page(`page ${index} ${"x".repeat(size)}`));
    if (kept.status === "queued") ids.push(kept.id);
  }
  return ids;
}

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

export const scenarios: Record<string, Scenario> = {
  async "F1: a worker that dies at any step loses nothing and doubles nothing"(world) {
    const queued: string[] = [];
    for (const step of steps) {
      const worker = world.start();
      queued.push(...(await enqueueAll(worker, 3)));
      worker.killAt(step);
      const last = await worker.outcome(worker.queue.enqueue(page(`at ${step}`)));
      if (last?.status === "queued") queued.push(last.id);
      await worker.outcome(worker.queue.flush());
      worker.kill();
    }
    for (const fault of [cutsAfterStoring, cuts]) {
      const worker = world.start();
      queued.push(...(await enqueueAll(worker, 3)));
      world.service.faults.push(async (store, batch) => {
        worker.kill();
        return await fault(store, batch);
      });
      await worker.outcome(worker.queue.flush());
    }
    const worker = world.start();
    await world.drain(worker);
    expect([...world.service.stored.keys()]).toEqual(expect.arrayContaining(queued));
    // The one whose enqueue was cut off after its commit is the only other.
    expect(world.service.stored.size).toBe(queued.length + 1);
    expect(await world.waiting()).toEqual([]);
    expect(await worker.queue.status()).toMatchObject({ waiting: 0, bytes: 0, deadLetters: 0 });
  },

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

  async "F5: each message has the verdict of its own id, in whatever order the answer brings it"(world) {
    const { queue } = world.start();
    const ids = await enqueueAll({ queue }, 5);
    const [good, again, later, never, unnamed] = ids;
    const results = [
      { messageId: never, status: "error", error: { code: "validation_error", message: "No.", retryable: false } },
      { messageId: later, status: "error", error: { code: "internal_error", message: "Hm.", retryable: true } },
      { messageId: again, status: "success", duplicate: true },
      { messageId: good, status: "success" },
    ];
    world.service.faults.push(withResults(results));
    world.service.faults.push(() => answers(500, {}));
    expect(await queue.flush()).toMatchObject({ synced: 1, duplicates: 1, failed: 1, requests: 1 });
    expect(await world.waiting()).toEqual([later, unnamed]);
    expect(await queue.deadLetters.list(10)).toMatchObject([{ id: never, code: "validation_error", message: "No." }]);
    // Those that were not taken wait each for itself.
    const sent = world.service.received.length;
    expect((await queue.flush()).nextAt).toBeGreaterThan(world.clock.now());
    expect(world.service.received.length).toBe(sent);
  },

  async "F6: an answer about other messages, one too short, or one against itself deletes nothing"(world) {
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
    world.service.always = (store) => store();
    const { queue, events } = world.start();
    expect(await queue.flush()).toMatchObject({ endedBy: "empty", synced: 250 });
    expect(events.filter(({ type }) => type === "recovered")).toHaveLength(1);
    expect([...world.service.stored.keys()]).toEqual(ids);
  },

  async "F9: what is no answer of the service deletes nothing, and an attempt ends by itself"(world) {
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

  async "F12: of a batch that is refused as a whole only the message that is the cause is given up"(world) {
    const worker = world.start();
    const ids = await enqueueAll(worker, 150);
    const poison = ids[73]!;
    world.service.always = refusesBatchWith(poison);
    await worker.queue.flush();
    expect(await worker.queue.deadLetters.list(9)).toMatchObject([{ id: poison, code: "bad_request" }]);
    expect([...world.service.stored.keys()].sort()).toEqual(ids.filter((id) => id !== poison).sort());
    expect(world.service.received.length).toBeLessThan(25);
  },

  async "F13: a message whose reading ends the worker is given up after 3 starts, and no other"(world) {
    const ids = await enqueueAll(world.start(), 30);
    const poison = ids[11]!;
    let deaths = 0;
    let dying: ReturnType<World["start"]> | undefined;
    // The worker dies when it touches the body of this one.
    const touchy: Store = {
      write: (work, how) => world.store.write(work, how),
      read: (work) =>
        world.store.read(
          async (tx) =>
            await work({
              ...tx,
              async get(table, key) {
                const row = await tx.get(table, key);
                if (table === "bodies" && String(row).includes(poison)) {
                  deaths += 1;
                  dying?.kill();
                }
                return row;
              },
            }),
        ),
    };
    for (let life = 0; life < 12; life += 1) {
      dying = world.start({ store: touchy });
      await dying.outcome(world.drain(dying));
    }
    // Once with others in the same batch, twice more alone.
    expect(deaths).toBe(3);
    expect(await world.start().queue.deadLetters.list(9)).toMatchObject([{ id: poison, code: "crashed" }]);
    expect([...world.service.stored.keys()].sort()).toEqual(ids.filter((id) => id !== poison).sort());
  },

  async "F14: what could not be written is dropped for that reason and counted, never queued"(world) {
    let isFull = false;
    // As IndexedDB at its quota: every request succeeds, and then the transaction is rolled back.
    const full: Store = {
      read: (work) => world.store.read(work),
      write: (work, how) =>
        world.store.write(async (tx) => {
          const result = await work(tx);
          if (isFull) throw new DOMException("Full.", "QuotaExceededError");
          return result;
        }, how),
    };
    const { queue, events } = world.start({ store: full });
    const ids = await enqueueAll({ queue }, 2);
    isFull = true;
    expect(await queue.enqueue(page())).toEqual({ status: "dropped", reason: "storage-failed" });
    expect(await queue.flush()).toMatchObject({ endedBy: "storage-failed" });
    expect(events.map(({ type }) => type)).toEqual(["storage", "dropped", "storage"]);
    isFull = false;
    expect(await world.waiting()).toEqual(ids);
    ids.push(...(await enqueueAll({ queue }, 1)));
    expect((await queue.status()).dropped).toEqual({ "storage-failed": 1 });
    await queue.flush();
    expect([...world.service.stored.keys()]).toEqual(expect.arrayContaining(ids));
  },

  async "F15: without room the least goes first, and what is counted is what the service lacks"(world) {
    const { queue, events } = world.start({ limits: { items: 12 } });
    const queued: string[] = [];
    let atOnce = 0;
    const take = async (message: Parameters<typeof queue.enqueue>[0]) => {
      const kept = await queue.enqueue(message);
      if (kept.status === "queued") queued.push(kept.id);
      else atOnce += 1;
      return kept.status;
    };
    const actions: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      await take(heartbeat(`c${index}`));
      await take(page(`${index}`, { type: "navigation" }));
      await take(page(`${index}`));
      if ((await take(page(`${index}`, { type: "selection" }))) === "queued") actions.push(queued.at(-1)!);
    }
    for (let index = 0; index < 3; index += 1)
      if ((await take(page("s", { type: "selection" }))) === "queued") actions.push(queued.at(-1)!);
    expect(await take(heartbeat("late"))).toBe("dropped");
    expect(await queue.status()).toMatchObject({ waiting: 12, dropped: { full: 12 } });
    expect(events.filter((event) => event.type === "dropped").slice(0, 5)).toMatchObject(Array(5).fill({ kind: "heartbeat" }));
    await world.drain({ queue } as never);
    const stored = [...world.service.stored.keys()];
    expect(stored).toEqual(expect.arrayContaining(actions));
    const missing = queued.filter((id) => !stored.includes(id)).length;
    expect(missing + atOnce).toBe(12);
    // The service is told, once.
    const reports = [...world.service.stored.values()].filter(({ type }) => type === "error");
    expect(reports.map(({ json }) => (JSON.parse(json) as any).payload.details)).toEqual([{ full: 12 }]);
  },

  async "F15: bytes and age are bounds as well"(world) {
    const { queue } = world.start({ limits: { bytes: 5_000, itemBytes: 2_000 } });
    expect(await queue.enqueue(page("x".repeat(2_000)))).toEqual({ status: "dropped", reason: "too-large" });
    // 700 characters, of 3 bytes each.
    expect(await queue.enqueue(page("湖".repeat(700)))).toEqual({ status: "dropped", reason: "too-large" });
    await enqueueAll({ queue }, 10, 1_000);
    expect((await queue.status()).bytes).toBeLessThanOrEqual(5_000);
    const { waiting, dropped } = await queue.status();
    expect(waiting + (dropped.full ?? 0)).toBe(10);
    world.clock.advance(7 * 86_400_000 + 1);
    const fresh = await queue.enqueue(page("fresh"));
    await queue.flush();
    expect((await queue.status()).dropped.expired).toBe(waiting);
    expect([...world.service.stored.values()].filter(({ type }) => type === "create").map(({ id }) => id)).toEqual([
      "id" in fresh ? fresh.id : "",
    ]);
  },

  async "F16: workers that drain at the same time send each message once, one request at a time"(world) {
    const workers = [1, 2, 3, 4].map(() => world.start({ batch: { items: 10 } }));
    const ids = (await Promise.all(workers.map((worker) => enqueueAll(worker, 20)))).flat();
    let inFlight = 0;
    world.service.always = async (store) => {
      expect(++inFlight).toBe(1);
      await turns(2);
      inFlight -= 1;
      return store();
    };
    await Promise.all(workers.map(({ queue }) => queue.flush()));
    const sent = world.service.received.flatMap((batch) => batch.ids);
    expect(sent.toSorted()).toEqual(ids.toSorted());
    // The lock is free at once after a kill.
    await enqueueAll(workers[0]!, 1);
    world.service.faults.push(stalls);
    const hanging = workers[0]!.outcome(workers[0]!.queue.flush());
    await turns();
    workers[0]!.kill();
    await hanging;
    expect(await within(workers[1]!.queue.flush())).toMatchObject({ endedBy: "empty", synced: 1 });
  },

  async "F19: damaged and foreign records are set aside and counted, and the rest moves on"(world) {
    const { queue } = world.start();
    const ids = await enqueueAll({ queue }, 6);
    await world.store.write(async (tx) => {
      const [one, two, three, four] = (await tx.all("heads")) as any[];
      await tx.put("heads", { ...one, bytes: "many" });
      await tx.put("bodies", "{half", two.seq);
      await tx.delete("bodies", three.seq);
      await tx.put("bodies", JSON.stringify({ id: "another" }), four.seq);
      await tx.add("heads", { of: "another program" });
    });
    await world.drain(world.start());
    expect([...world.service.stored.values()].filter(({ type }) => type === "create").map(({ id }) => id)).toEqual(ids.slice(4));
    expect(await queue.status()).toMatchObject({ waiting: 0, bytes: 0, dropped: { corrupt: 5 } });
    expect(await world.store.read((tx) => tx.count("quarantine"))).toBe(5);
  },

  async "F20: a clock that jumps makes no wait longer, no storm, and no other order"(world) {
    const { queue } = world.start();
    const ids = await enqueueAll({ queue }, 2);
    world.service.faults.push(refuses(429, "rate_limited", { "Retry-After": "60" }));
    await queue.flush();
    world.clock.set(world.clock.now() - 86_400_000);
    ids.push(...(await enqueueAll({ queue }, 2)));
    const { nextAt } = await queue.flush();
    expect(nextAt! - world.clock.now()).toBeLessThanOrEqual(60_250);
    world.clock.advance(60_250);
    world.service.faults.push(refuses(503, "unavailable"));
    expect(await queue.flush()).toMatchObject({ requests: 1 });
    world.clock.set(world.clock.now() + 2 * 86_400_000);
    world.service.faults.push(refuses(503, "unavailable"));
    expect(await queue.flush()).toMatchObject({ requests: 1, endedBy: "blocked" });
    await world.drain(world.start());
    expect([...world.service.stored.keys()]).toEqual(ids);
  },

  async "F21: messages wait for their own account"(world) {
    const { queue } = world.start();
    const ofAda = await enqueueAll({ queue }, 3);
    world.account = "bob";
    const ofBob = await enqueueAll({ queue }, 2);
    await queue.flush();
    expect([...world.service.stored.keys()]).toEqual(ofBob);
    world.account = null;
    expect(await queue.enqueue(page())).toEqual({ status: "dropped", reason: "no-account" });
    expect(await queue.flush()).toMatchObject({ endedBy: "no-account", requests: 0 });
    // Signed out and in again by somebody else while the key was asked for.
    world.account = "ada";
    const { key } = world;
    world.key = () => ((world.account = "bob"), "key of bob");
    expect(await queue.flush()).toMatchObject({ endedBy: "no-account", requests: 0 });
    world.key = key;
    world.account = "ada";
    await queue.flush();
    const keys = new Map([...world.service.stored.values()].map((message) => [message.id, message.key]));
    for (const id of ofAda) expect(keys.get(id)).toBe("key of ada");
    for (const id of ofBob) expect(keys.get(id)).toBe("key of bob");
  },

  async "F22: a call that is repeated with its id makes one message"(world) {
    const first = world.start();
    first.killAt("after-enqueue");
    expect(await first.outcome(first.queue.enqueue(page("said twice", { id: "m1" })))).toBeUndefined();
    const { queue } = world.start();
    expect(await queue.enqueue(page("said twice", { id: "m1" }))).toEqual({ status: "queued", id: "m1" });
    expect(await world.waiting()).toEqual(["m1"]);
    await expect(queue.enqueue(page("", { id: "x".repeat(129) }))).rejects.toThrow(TypeError);
  },

  async "heartbeats replace each other while they were never sent, and never after"(world) {
    const { queue } = world.start();
    const first = await queue.enqueue(heartbeat());
    expect(first.status).toBe("queued");
    world.clock.advance(1_000);
    expect(await queue.enqueue(heartbeat())).toEqual({ ...first, status: "merged" });
    expect(await queue.enqueue(heartbeat("c2"))).toMatchObject({ status: "queued" });
    world.service.faults.push(cutsAfterStoring);
    await queue.flush();
    const third = await queue.enqueue(heartbeat());
    expect(third).toMatchObject({ status: "queued" });
    expect(third).not.toMatchObject(first);
    await world.drain(world.start());
    expect(world.service.stored.size).toBe(3);
    expect(await queue.status()).toMatchObject({ waiting: 0, deadLetters: 0 });
    const [sent] = world.service.stored.values();
    expect((JSON.parse(sent!.json) as any).timestamp).toBe("2026-01-31T12:00:01.000Z");
  },

  async "F24: what a rule blocks, or fails on, leaves nothing on the disk and nothing on the wire"(world) {
    const { queue, events } = world.start({
      filter: (message) => {
        const text = JSON.stringify(message);
        if (text.includes("throws")) throw new Error(`cannot read ${text}`);
        return text.includes("secret") ? { keep: false, rule: "my-rule" } : { keep: true, message };
      },
    });
    expect(await queue.enqueue(page("secret"))).toEqual({ status: "blocked", rule: "my-rule" });
    expect(await queue.enqueue(page("throws secret"))).toEqual({ status: "blocked", rule: "filter-failed" });
    const hidden = page("hidden");
    Object.assign(hidden.payload.context.tabMetadata, { incognito: true });
    expect(await queue.enqueue(hidden)).toEqual({ status: "blocked", rule: "private-window" });
    const kept = await world.store.read(async (tx) => [
      await tx.all("heads"),
      await tx.all("bodies"),
      await tx.all("dead"),
      await tx.all("state"),
    ]);
    expect(JSON.stringify([kept, events])).not.toMatch(/secret|throws|hidden/);
    expect((await queue.status()).dropped).toEqual({ blocked: 3 });
    expect(kept[0]).toEqual([]);
  },

  async "F25: after a purge there is no row and no request of the account"(world) {
    const { queue } = world.start();
    await enqueueAll({ queue }, 150);
    world.account = "bob";
    const ofBob = await enqueueAll({ queue }, 1);
    world.account = "ada";
    world.service.judge = ({ id }) =>
      id === world.service.received[0]!.ids[0] ? { code: "validation_error", retryable: false } : undefined;
    const { promise: isOn, resolve: begin } = Promise.withResolvers<void>();
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
    world.service.faults.push(async (store) => {
      begin();
      await mayEnd;
      return store();
    });
    const flushing = queue.flush();
    await isOn;
    // Asked for by a page of the extension, while the worker drains.
    const purging = world.start().queue.purge("ada");
    await turns();
    end();
    await purging;
    const sent = world.service.received.length;
    expect(await world.waiting()).toEqual(ofBob);
    await flushing;
    await queue.flush();
    expect(world.service.received.length).toBe(sent);
    expect(await queue.status()).toMatchObject({ waiting: 0, bytes: 0, deadLetters: 0, dropped: {}, blockedUntil: null });
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
    const bodies = await world.store.read((tx) => tx.count("bodies"));
    expect(bodies).toBe(0);
  },

  async "a page that the service's own filter refuses is not kept here either"(world) {
    const { queue, events } = world.start();
    await enqueueAll({ queue }, 1);
    world.service.judge = () => ({ code: "privacy_rejected", retryable: false });
    await queue.flush();
    expect(await world.store.read((tx) => tx.count("bodies"))).toBe(0);
    expect(await queue.status()).toMatchObject({ deadLetters: 0, dropped: { "rejected-by-server": 1 } });
    expect(events).toContainEqual({ type: "dropped", reason: "rejected-by-server", count: 1, kind: "page" });
  },

  async "a pause lasts through restarts, and messages are taken meanwhile"(world) {
    const { queue } = world.start();
    await queue.pause();
    await enqueueAll({ queue }, 1);
    world.clock.advance(86_400_000);
    expect(await world.start().queue.flush()).toMatchObject({ endedBy: "paused", requests: 0 });
    await queue.resume();
    await queue.pause(3_600_000);
    expect(await queue.status()).toMatchObject({ reason: "paused", waiting: 1 });
    world.clock.advance(3_600_000);
    expect(await queue.flush()).toMatchObject({ endedBy: "empty", synced: 1 });
  },
};

function withResults(results: unknown[], messageId?: string): Fault {
  return (store) => {
    const real = store().json() as Promise<{ messageId: string }>;
    return real.then((answer) => answers(207, { ...answer, messageId: messageId ?? answer.messageId, results }));
  };
}

/** What a promise comes to without time passing; fails when it hangs. */
async function within<T>(promise: Promise<T>): Promise<T> {
  const hangs = turns(400).then(() => {
    throw new Error("It hangs.");
  });
  return await Promise.race([promise, hangs]);
}
