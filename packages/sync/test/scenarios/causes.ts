import { expect } from "vitest";
import { answers, cuts, portal, refuses, stalls } from "../testing/index.js";
import { heartbeat, page } from "../world.js";
import { enqueueAll, type Scenario, turns, within } from "./scenario.js";

/** What is kept and said of an attempt that did not deliver: neither more than happened, nor of another cause. */
export const causeScenarios: Record<string, Scenario> = {
  async "each cause of trouble has a code of its own, which outlives the worker"(world) {
    const causes: [string, Partial<Parameters<typeof world.start>[0]>, Parameters<typeof world.service.faults.push>[0] | undefined][] = [
      ["no-key", { apiKey: () => "" }, undefined],
      ["key-refused", {}, refuses(401, "unauthorized")],
      ["rate-limit", {}, refuses(429, "rate_limited", { "Retry-After": "30" })],
      ["service", {}, refuses(503, "unavailable")],
      ["wrong-server", {}, portal],
      ["wrong-server", {}, refuses(404, "not_found")],
      ["network", {}, cuts],
      ["no-access", { hasAccess: async () => false }, cuts],
    ];
    for (const [code, options, fault] of causes) {
      const { queue } = world.start(options);
      await queue.enqueue(page());
      if (fault !== undefined) world.service.faults.push(fault);
      await queue.flush();
      expect(await world.start().queue.status()).toMatchObject({ lastErrorCode: code, lastError: expect.any(String) });
      world.clock.advance(3_700_000);
      await world.start().queue.flush();
      expect(await queue.status()).toMatchObject({ lastErrorCode: null, lastError: null });
    }
    const { queue } = world.start();
    await queue.enqueue(page());
    world.service.faults.push(stalls);
    const flushing = queue.flush();
    await turns();
    world.clock.advance(20_000);
    await within(flushing);
    expect(await queue.status()).toMatchObject({ lastErrorCode: "timeout" });
    world.clock.advance(3_700_000);
    world.service.judge = () => ({ code: "internal_error", retryable: true });
    await queue.flush();
    expect(await queue.status()).toMatchObject({ reason: "backing-off", lastErrorCode: "items" });
  },

  async "a message not sent for want of a key or an account counts as never selected"(world) {
    const { queue } = world.start({ apiKey: () => "" });
    await queue.enqueue(heartbeat());
    for (let round = 0; round < 10; round += 1) await queue.flush();
    expect(await world.store.read((tx) => tx.all("heads"))).toMatchObject([{ attempts: 0, starts: 0 }]);
    expect(await queue.enqueue(heartbeat())).toMatchObject({ status: "merged" });
    // One that may have been sent stays so: the service may know it.
    world.service.faults.push(cuts);
    await world.start().queue.flush();
    world.clock.advance(400_000);
    for (let round = 0; round < 3; round += 1) await queue.flush();
    expect(await world.store.read((tx) => tx.all("heads"))).toMatchObject([{ attempts: 1, starts: 0 }]);
    expect(await queue.enqueue(heartbeat())).toMatchObject({ status: "queued" });
    world.account = "bob";
    const signingOut = world.start({
      apiKey: () => {
        world.account = null;
        return "key";
      },
    });
    await signingOut.queue.enqueue(heartbeat());
    await signingOut.queue.flush();
    expect((await world.store.read((tx) => tx.all("heads"))).at(-1)).toMatchObject({ attempts: 0, starts: 0 });
  },

  async "a key that comes too late sends nothing any more"(world) {
    const { promise: key, resolve: give } = Promise.withResolvers<string>();
    const { queue } = world.start({ apiKey: () => key });
    await queue.enqueue(heartbeat());
    const flushing = queue.flush();
    await turns();
    world.clock.advance(20_000);
    expect(await within(flushing)).toMatchObject({ endedBy: "blocked", requests: 0 });
    give("key");
    await turns();
    expect(world.service.received).toEqual([]);
    expect(await queue.enqueue(heartbeat())).toMatchObject({ status: "merged" });
  },

  async "what answers cannot write more than a code into what is kept"(world) {
    const settled: unknown[] = [];
    const { queue } = world.start({ onSettled: (each) => settled.push(each) });
    await queue.enqueue(page());
    for (const code of ["psk_Secret 1234", "x".repeat(41), ""]) {
      world.service.judge = () => ({ code, retryable: true });
      await queue.flush();
      expect((await queue.status()).lastError).toBe("The service could not take some messages yet (unknown).");
      world.clock.advance(400_000);
      world.service.faults.push(() => answers(503, { error: `Psk_${code}`, message: "" }));
      await queue.flush();
      expect((await queue.status()).lastError).toBe("The service answered 503.");
      world.clock.advance(400_000);
    }
    world.service.judge = () => ({ code: "psk_Secret 1234", retryable: false });
    await queue.flush();
    expect(settled).toMatchObject([{ status: "refused", code: "unknown" }]);
  },

  async "a disk that failed one account's flush is no trouble of another's"(world) {
    let isBroken = false;
    const { queue } = world.start({
      store: {
        read: (work) => world.store.read(work),
        write: (work, how) =>
          isBroken ? Promise.reject(new DOMException("No room.", "QuotaExceededError")) : world.store.write(work, how),
      },
    });
    await enqueueAll({ queue }, 1);
    world.account = "bob";
    await enqueueAll({ queue }, 1);
    world.account = "ada";
    isBroken = true;
    await queue.flush();
    isBroken = false;
    expect(await queue.status()).toMatchObject({ reason: "backing-off", lastErrorCode: "storage" });
    world.account = "bob";
    expect(await queue.status()).toMatchObject({ reason: "idle", lastError: null, lastErrorCode: null });
    await queue.flush();
    world.account = "ada";
    expect(await queue.status()).toMatchObject({ reason: "backing-off", lastErrorCode: "storage" });
  },

  async "a program error is not reported as a disk error, and reveals no content"(world) {
    const fails = () => {
      throw new TypeError("psk_secret is no function");
    };
    const inside: typeof world.random = fails;
    for (const options of [{ hook: (step: string) => (step === "after-select" ? fails() : undefined) }, { random: inside }]) {
      const { queue, events } = world.start(options);
      await queue.enqueue(page());
      world.service.judge = () => ({ code: "internal_error", retryable: true });
      const { endedBy, nextAt } = await queue.flush();
      expect(endedBy).toBe("failed");
      expect(await queue.status()).toMatchObject({ reason: "backing-off", blockedUntil: nextAt, lastErrorCode: "internal" });
      expect(events).toContainEqual({ type: "failed", error: "The queue failed (TypeError)." });
      expect(JSON.stringify([events, await queue.status()])).not.toMatch(/psk_secret|disk/);
    }
    // What fails within a transaction by the store's doing is the store's.
    const { queue } = world.start({
      store: {
        read: (work) => world.store.read(work),
        write: (work, how) => world.store.write((tx) => work({ ...tx, list: () => Promise.reject(new DOMException("Torn.")) }), how),
      },
    });
    expect(await queue.flush()).toMatchObject({ endedBy: "storage-failed" });
  },

  async "looking for a cause ends soon, whatever the browser says"(world) {
    const { queue } = world.start({ hasAccess: () => new Promise(() => {}) });
    await queue.enqueue(page());
    world.service.faults.push(cuts);
    const flushing = queue.flush();
    await turns();
    world.clock.advance(500);
    expect(await within(flushing)).toMatchObject({ endedBy: "blocked" });
    expect(await queue.status()).toMatchObject({ lastErrorCode: "network" });
  },
};
