import { expect } from "vitest";
import type { Store } from "../../src/core/index.js";
import type { Head } from "../../src/core/rows.js";
import { cuts, cutsAfterStoring, refuses, stalls } from "../testing/index.js";
import { page, steps, type World } from "../world.js";
import { enqueueAll, type Scenario, turns, within } from "./scenario.js";

/** What must hold whatever becomes of workers, the disk and the clock. */
export const machineScenarios: Record<string, Scenario> = {
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

  async "F2: 150 workers killed at any moment lose no message and send none twice"(world) {
    const queued: string[] = [];
    let unheard = 0;
    for (let life = 0; life < 150; life += 1) {
      const worker = world.start({ batch: { items: 5 } });
      const flushing = worker.outcome(worker.queue.flush());
      const taking = [1, 2, 3].map((index) => worker.outcome(worker.queue.enqueue(page(`${life} ${index}`))));
      await turns(Math.floor(world.random() ** 2 * 100));
      worker.kill();
      for (const kept of await Promise.all(taking)) {
        if (kept?.status === "queued") queued.push(kept.id);
        else unheard += 1;
      }
      await flushing;
    }
    const last = world.start();
    await last.queue.deadLetters.retry((await last.queue.deadLetters.list(500)).map(({ id }) => id));
    await world.drain(last);
    expect(queued.length).toBeGreaterThan(50);
    expect([...world.service.stored.keys()]).toEqual(expect.arrayContaining(queued));
    expect(world.service.stored.size).toBeLessThanOrEqual(queued.length + unheard);
    expect(await last.queue.status()).toMatchObject({ waiting: 0, bytes: 0, deadLetters: 0 });
    expect(await world.waiting()).toEqual([]);
  },

  async "F13: only the message that crashes the worker is given up, after 3 starts"(world) {
    const ids = await enqueueAll(world.start(), 30);
    const poison = ids[11]!;
    let deaths = 0;
    let dying: ReturnType<World["start"]> | undefined;
    // The worker dies when it touches the body of this one.
    const touchy: Store = {
      read: (work) => world.store.read(work),
      write: (work, how) =>
        world.store.write(
          async (tx) =>
            await work({
              ...tx,
              async get(table, key) {
                const row = await tx.get(table, key);
                if (table !== "bodies" || !String(row).includes(poison)) return row;
                deaths += 1;
                dying?.kill();
                throw new Error("The worker is gone.");
              },
            }),
          how,
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

  async "F14: a failed write is dropped for that reason and counted, never queued"(world) {
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
    const lost = { dropped: { "storage-failed": 1 }, unreported: { "storage-failed": 1 } };
    expect(await queue.status()).toMatchObject(lost);
    isFull = false;
    expect(await world.waiting()).toEqual(ids);
    ids.push(...(await enqueueAll({ queue }, 1)));
    expect(await world.start().queue.status()).toMatchObject(lost);
    await queue.flush();
    expect(await queue.status()).toMatchObject({ dropped: { "storage-failed": 1 }, unreported: {} });
    expect([...world.service.stored.keys()]).toEqual(expect.arrayContaining(ids));
  },

  async "F16: workers draining at once send each message once, one request at a time"(world) {
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

  async "F19: sets damaged and foreign records aside, counts them, and sends the rest"(world) {
    const { queue } = world.start();
    const ids = await enqueueAll({ queue }, 6);
    await world.store.write(async (tx) => {
      const [one, two, three, four] = (await tx.all("heads")) as [Head, Head, Head, Head];
      await tx.put("heads", { ...one, bytes: "many" });
      await tx.put("bodies", "{half", two.seq);
      await tx.delete("bodies", three.seq);
      await tx.put("bodies", JSON.stringify({ id: "another" }), four.seq);
      await tx.add("heads", { of: "another program" });
    });
    await world.drain(world.start());
    expect([...world.service.stored.values()].filter(({ type }) => type === "create").map(({ id }) => id)).toEqual(ids.slice(4));
    expect(await queue.status()).toMatchObject({ waiting: 0, bytes: 0, dropped: { corrupt: 5 } });
    expect(await world.store.read(async (tx) => [(await tx.all("heads")).length, (await tx.all("bodies")).length])).toEqual([0, 0]);
  },

  async "wrong counts of what waits are put right, and drop nothing"(world) {
    const { queue } = world.start();
    const ids = await enqueueAll({ queue }, 2);
    const { bytes } = await queue.status();
    const key = "account ada";
    await world.store.write(async (tx) => {
      const state = (await tx.get("state", key)) as object;
      await tx.put("state", { ...state, waiting: 9_000, bytes: 90_000_000 }, key);
    });
    ids.push(...(await enqueueAll({ queue }, 1)));
    expect(await world.waiting()).toEqual(ids);
    expect(await queue.status()).toMatchObject({ waiting: 3, bytes: bytes * 1.5, dropped: {} });
  },

  async "a damaged size of the next batch is forgotten, and a lowered setting binds at once"(world) {
    const sizesWith = async (room: object, batch = {}) => {
      await world.store.write(async (tx) => {
        const state = (await tx.get("state", "account ada")) as object;
        await tx.put("state", { ...state, room }, "account ada");
      });
      const before = world.service.received.length;
      await world.start({ batch }).queue.flush();
      return world.service.received.slice(before).map(({ ids }) => ids.length);
    };
    const { queue } = world.start();
    for (const room of [{ items: "many", bytes: 500_000 }, { items: 500 }]) {
      await enqueueAll({ queue }, 150);
      expect(await sizesWith(room)).toEqual([100, 50]);
    }
    await enqueueAll({ queue }, 12);
    expect(await sizesWith({ items: 100, bytes: 500_000 }, { items: 5 })).toEqual([5, 5, 2]);
    await enqueueAll({ queue }, 2, 1_000);
    expect(await sizesWith({ items: 100, bytes: 500_000 }, { bytes: 1_500 })).toEqual([1, 1]);
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

  async "F22: a call that is repeated with its id makes one message"(world) {
    const first = world.start();
    first.killAt("after-enqueue");
    expect(await first.outcome(first.queue.enqueue(page("said twice", { id: "m1" })))).toBeUndefined();
    const { queue } = world.start();
    expect(await queue.enqueue(page("said twice", { id: "m1" }))).toEqual({ status: "queued", id: "m1" });
    expect(await world.waiting()).toEqual(["m1"]);
    await expect(queue.enqueue(page("", { id: "x".repeat(129) }))).rejects.toThrow("1 to 128 characters");
  },

  async "names the types of messages when one has none of them"(world) {
    const { queue } = world.start();
    await expect(queue.enqueue({ type: "upsert", payload: {} } as never)).rejects.toThrow(
      "one of create, update, delete, heartbeat, config, error",
    );
    expect(await world.waiting()).toEqual([]);
  },

  async "a pause lasts through restarts, and messages are taken meanwhile"(world) {
    const { queue } = world.start();
    await queue.pause();
    await enqueueAll({ queue }, 1);
    world.clock.advance(86_400_000);
    expect(await world.start().queue.flush()).toMatchObject({ endedBy: "paused", requests: 0, nextAt: null });
    expect(await queue.status()).toMatchObject({ reason: "paused", blockedUntil: null });
    await queue.resume();
    await queue.pause(3_600_000);
    const endsAt = world.clock.now() + 3_600_000;
    expect(await queue.flush()).toMatchObject({ endedBy: "paused", requests: 0, nextAt: endsAt });
    expect(await queue.status()).toMatchObject({ reason: "paused", waiting: 1, blockedUntil: endsAt });
    world.clock.advance(3_600_000);
    expect(await queue.flush()).toMatchObject({ endedBy: "empty", synced: 1 });
  },
};
