import { expect } from "vitest";
import { cutsAfterStoring, refuses } from "../testing/index.js";
import { heartbeat, page } from "../world.js";
import { enqueueAll, type Scenario, turns } from "./scenario.js";

const day = 86_400_000;

/** Holds the next request: `isOn` resolves when it has come, and `end` lets it go on. */
function holdRequest(world: Parameters<Scenario>[0]) {
  const { promise: isOn, resolve: begin } = Promise.withResolvers<void>();
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
  world.service.faults.push(async (store) => {
    begin();
    await mayEnd;
    return store();
  });
  return { isOn, end };
}

/** What must hold for whoever the messages are of. */
export const peopleScenarios: Record<string, Scenario> = {
  async "F15: without room the least important goes first, and drops are counted"(world) {
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
    expect(events.filter((event) => event.type === "dropped").slice(0, 5)).toMatchObject(
      Array.from({ length: 5 }, () => ({ kind: "heartbeat" })),
    );
    await world.drain(world.start());
    const stored = [...world.service.stored.keys()];
    expect(stored).toEqual(expect.arrayContaining(actions));
    const missing = queued.filter((id) => !stored.includes(id)).length;
    expect(missing + atOnce).toBe(12);
    // The service gets one report.
    const reports = [...world.service.stored.values()].filter(({ type }) => type === "error");
    expect(reports.map(({ json }) => JSON.parse(json).payload.details)).toEqual([{ full: 12 }]);
  },

  async "F15: bytes and age are bounds as well"(world) {
    const { queue } = world.start({ limits: { bytes: 5_000, itemBytes: 2_000, ageMs: 30 * day } });
    expect(await queue.enqueue(page("x".repeat(2_000)))).toEqual({ status: "dropped", reason: "too-large" });
    // 700 characters, of 3 bytes each.
    expect(await queue.enqueue(page("湖".repeat(700)))).toEqual({ status: "dropped", reason: "too-large" });
    await enqueueAll({ queue }, 10, 1_000);
    expect((await queue.status()).bytes).toBeLessThanOrEqual(5_000);
    const { waiting, dropped } = await queue.status();
    expect(waiting + (dropped.full ?? 0)).toBe(10);
    // However old messages may get: the service knows their ids no longer.
    world.clock.advance(7 * day + 1);
    const fresh = await queue.enqueue(page("fresh"));
    await queue.flush();
    expect((await queue.status()).dropped.expired).toBe(waiting);
    expect([...world.service.stored.values()].filter(({ type }) => type === "create").map(({ id }) => id)).toEqual([
      "id" in fresh ? fresh.id : "",
    ]);
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

  async "F21: messages of an account with a server of its own wait for that server"(world) {
    const sentTo: string[] = [];
    const fetch: typeof world.service.fetch = async (url, init) => {
      sentTo.push(new URL(url).host);
      return await world.service.fetch(url, init);
    };
    const at = (host: string, more = {}) =>
      world.start({ baseUrl: `https://${host}/api/v1`, account: () => `ada at ${host}`, fetch, ...more }).queue;
    const before = at("old.example", { limits: { items: 5 } });
    world.service.judge = ({ json }) => (json.includes("page 0") ? { code: "validation_error", retryable: false } : undefined);
    await enqueueAll({ queue: before }, 1);
    await before.flush();
    world.service.always = refuses(503, "unavailable");
    const ofOld = await enqueueAll({ queue: before }, 7);
    await before.flush();
    const left = await before.status();
    expect(left).toMatchObject({ waiting: 5, deadLetters: 1, dropped: { full: 2 }, reason: "backing-off" });
    // The same account at another address: nothing of the old one is known there, or sent there.
    world.service.always = (store) => store();
    sentTo.length = 0;
    const after = at("new.example");
    expect(await after.status()).toMatchObject({ waiting: 0, bytes: 0, deadLetters: 0, dropped: {}, reason: "idle", blockedUntil: null });
    const ofNew = await enqueueAll({ queue: after }, 2, 10);
    world.service.judge = () => undefined;
    expect(await after.flush()).toMatchObject({ endedBy: "empty", synced: 2 });
    expect(sentTo).toEqual(["new.example"]);
    expect([...world.service.stored.keys()]).toEqual(ofNew);
    expect(await world.waiting()).toEqual(ofOld.slice(2));
    // What was left is taken away by a queue of the old address, whole, and nobody else's with it.
    await after.enqueue(page("waits at the new one"));
    await before.removeAccount("ada at old.example");
    expect(await before.status()).toMatchObject({ waiting: 0, bytes: 0, deadLetters: 0, dropped: {} });
    expect(await after.status()).toMatchObject({ waiting: 1, deadLetters: 0 });
    expect(
      await world.store.read(async (tx) => [
        (await tx.all("heads")).length,
        (await tx.all("bodies")).length,
        (await tx.all("dead")).length,
      ]),
    ).toEqual([1, 1, 0]);
    expect(sentTo).toEqual(["new.example"]);
  },

  async "F21: nothing older than 7 days stays at the next start, of whatever account, or while there is none"(world) {
    const kept = () =>
      world.store.read(async (tx) => {
        const tables = [await tx.all("heads"), await tx.all("dead"), await tx.all("bodies")];
        return tables.map((rows) => rows.length);
      });
    const { queue } = world.start();
    for (const account of ["ada", "bob"]) {
      world.account = account;
      world.service.judge = () => ({ code: "validation_error", retryable: false });
      await enqueueAll({ queue }, 1);
      await queue.flush();
      await enqueueAll({ queue }, 2);
    }
    await queue.pause();
    world.clock.advance(7 * day + 1);
    world.account = "cem";
    await enqueueAll({ queue }, 1);
    expect(await kept()).toEqual([5, 2, 7]);
    world.account = null;
    const settled: string[] = [];
    const next = world.start({ onSettled: ({ status }) => settled.push(status) });
    expect(await next.queue.flush()).toMatchObject({ endedBy: "no-account", requests: 0 });
    expect(await kept()).toEqual([1, 0, 1]);
    // What was refused was settled then.
    expect(settled).toEqual(["dropped", "dropped", "dropped", "dropped"]);
    world.account = "bob";
    const dropped = { expired: 2, "rejected-by-server": 1 };
    expect(await next.queue.status()).toMatchObject({ waiting: 0, bytes: 0, deadLetters: 0, dropped });
    // Of the account of now as well, in a pause.
    world.account = "cem";
    world.clock.advance(7 * day + 1);
    expect(await world.start().queue.flush()).toMatchObject({ endedBy: "paused", requests: 0 });
    expect(await kept()).toEqual([0, 0, 0]);
  },

  async "heartbeats replace each other while they were never sent, and never after"(world) {
    const { queue } = world.start();
    const first = await queue.enqueue(heartbeat());
    expect(first.status).toBe("queued");
    world.clock.advance(1_000);
    const second = await queue.enqueue(heartbeat());
    expect(second.status).toBe("merged");
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
    const { id, timestamp } = JSON.parse(sent!.json);
    // Not that of the first, which the service may know by a repeated call.
    expect({ status: "merged", id }).toEqual(second);
    expect([id === ("id" in first && first.id), timestamp]).toEqual([false, "2026-01-31T12:00:01.000Z"]);
  },

  async "F24: what a rule blocks or fails on reaches neither disk nor wire"(world) {
    const { queue, events } = world.start({
      filter: (message) => {
        const text = JSON.stringify(message);
        if (text.includes("throws")) throw new Error(`cannot read ${text}`);
        return text.includes("secret") ? { keep: false, rule: "my-rule" } : { keep: true, message };
      },
    });
    expect(await queue.enqueue(page("secret"))).toEqual({ status: "blocked", rule: "my-rule" });
    expect(await queue.enqueue(page("throws secret"))).toEqual({ status: "blocked", rule: "filter:failed" });
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

  async "F25: after an account was removed there is no row and no request of the account"(world) {
    const { queue } = world.start();
    await enqueueAll({ queue }, 150);
    world.account = "bob";
    const ofBob = await enqueueAll({ queue }, 1);
    world.account = "ada";
    world.service.judge = ({ id }) =>
      id === world.service.received[0]!.ids[0] ? { code: "validation_error", retryable: false } : undefined;
    const { isOn, end } = holdRequest(world);
    const flushing = queue.flush();
    await isOn;
    // Asked for by a page of the extension, while the worker drains.
    const removing = world.start().queue.removeAccount("ada");
    await turns();
    end();
    await removing;
    const sent = world.service.received.length;
    expect(await world.waiting()).toEqual(ofBob);
    await flushing;
    await queue.flush();
    expect(world.service.received.length).toBe(sent);
    expect(await queue.status()).toMatchObject({ waiting: 0, bytes: 0, deadLetters: 0, dropped: {}, blockedUntil: null });
  },

  async "removes messages that wait or are about to be sent, and sends only the rest"(world) {
    const { queue } = world.start();
    const spared = await enqueueAll({ queue }, 120);
    for (let index = 0; index < 30; index += 1) await queue.enqueue(page(`diary ${index}`));
    const { isOn, end } = holdRequest(world);
    const flushing = queue.flush();
    await isOn;
    const removing = queue.remove((message) => message.type === "create" && message.payload.context.content?.startsWith("diary") === true);
    await turns();
    end();
    // The first batch holds none of them, and no second one is begun before they are gone. The next flush is not at once: the removal may wait for another account.
    expect(await removing).toBe(30);
    expect(await flushing).toMatchObject({ endedBy: "paused", nextAt: world.clock.now() + 1_000 });
    await world.drain({ ...world.start(), queue });
    // Behind them only the report of how many were removed.
    const [stored, reports] = [[...world.service.stored.keys()].slice(0, 120), [...world.service.stored.values()].slice(120)];
    expect(stored).toEqual(spared);
    expect(reports).toHaveLength(1);
    expect(JSON.stringify(reports)).not.toContain("diary");
    expect(await queue.status()).toMatchObject({ waiting: 0, bytes: 0, deadLetters: 0, dropped: { removed: 30 } });
  },

  async "a removal waits for the request of an account that is not the current one any more"(world) {
    const { queue } = world.start();
    await enqueueAll({ queue }, 2);
    const { isOn, end } = holdRequest(world);
    const flushing = queue.flush();
    await isOn;
    world.account = "bob";
    let isRemoved = false;
    const removing = queue.remove(() => true).then(() => (isRemoved = true));
    await turns();
    expect(isRemoved).toBe(false);
    end();
    await removing;
    expect(world.locks.held()).toEqual([]);
    await flushing;
  },

  async "a message of a site that the service refused is removed as well"(world) {
    const { queue } = world.start();
    world.service.judge = () => ({ code: "validation_error", retryable: false });
    await enqueueAll({ queue }, 3);
    await queue.flush();
    expect(await queue.remove(({ type }) => type === "create")).toBe(3);
    expect(await queue.status()).toMatchObject({ waiting: 0, deadLetters: 0 });
    expect(await world.store.read(async (tx) => (await tx.all("bodies")).length)).toBe(0);
  },
};
