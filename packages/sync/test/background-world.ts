import type { Answer, Capture } from "../src/protocol.js";
import { type ContextSync, type ContextSyncOptions, createContextSync } from "../src/background/index.js";
import type { Clock, Enqueued, QueueStep, Store, SyncEvent } from "../src/core/index.js";
import { fakeBrowser, fakeService, manualClock, memoryLocks, memoryStore } from "./testing/index.js";
import { turns } from "./scenarios/scenario.js";

/** A background that runs, and can be ended at any moment: then nothing that it waits for ever comes, and its locks are free. */
export interface RunningBackground {
  sync: ContextSync;
  events: SyncEvent[];
  kill(): void;
}

/** Everything outside a background: browser, service, disk and time. */
export class BackgroundWorld {
  readonly clock = manualClock();
  readonly browser = fakeBrowser(this.clock);
  readonly service = fakeService();
  readonly locks = memoryLocks();
  account: string | null = "ada";

  constructor(readonly store: Store = memoryStore()) {}

  start(more: Partial<ContextSyncOptions> & { killAt?: QueueStep } = {}): RunningBackground {
    const { killAt, ...options } = more;
    let isDead = false;
    const events: SyncEvent[] = [];
    const kill = () => {
      isDead = true;
      this.browser.stop();
      this.locks.release();
    };
    const mortal = async <T>(call: () => Promise<T> | T): Promise<T> => {
      if (isDead) return await new Promise<T>(() => {});
      const value = await call();
      return isDead ? await new Promise<T>(() => {}) : value;
    };
    const clock: Clock = { now: this.clock.now, after: (ms, call) => this.clock.after(ms, () => isDead || call()) };
    const { store } = this;
    const sync = createContextSync({
      baseUrl: "http://periscope.test/api/v1",
      account: () => this.account,
      apiKey: (account) => `key of ${account}`,
      filter: (message) => ({ keep: true, message }),
      store: { read: (work) => mortal(() => store.read(work)), write: (work, how) => mortal(() => store.write(work, how)) },
      locks: {
        request: (name, how, work) =>
          mortal(() => this.locks.request(name, how, () => (isDead ? Promise.resolve(undefined as never) : work()))),
      },
      fetch: (url, init) => mortal(() => this.service.fetch(url, init)),
      clock,
      random: () => 0.5,
      apis: options.apis ?? this.browser.start(),
      settleMs: 1_000,
      onEvent: (event) => events.push(event),
      ...options,
      hook: async (step) => {
        if (step === killAt) kill();
        await mortal(() => options.hook?.(step));
      },
    });
    return { sync, events, kill };
  }

  /** Lets time pass in steps, with all that happens in each. */
  async pass(ms: number): Promise<void> {
    await turns();
    const step = Math.max(500, ms / 100);
    for (let left = ms; left > 0; left -= step) {
      this.clock.advance(Math.min(step, left));
      await turns();
    }
  }

  /** Asks as a content script of the tab does; undefined when the background dies before it answers. */
  async ask<T = Enqueued>(request: object, sender?: Parameters<BackgroundWorld["browser"]["fromPage"]>[1]): Promise<Answer<T> | undefined> {
    const dies = turns(60).then(() => undefined);
    return (await Promise.race([this.browser.fromPage({ periscope: 1, ...request }, sender), dies])) as Answer<T> | undefined;
  }

  /** Messages that the service has, oldest first. */
  stored(): { id: string; type: string; payload: { context?: { type: string; url: string; title: string; content: string } } }[] {
    return [...this.service.stored.values()].map(({ json }) => JSON.parse(json));
  }

  /** Addresses of the navigations that the service has. */
  visited(): string[] {
    return this.stored().flatMap(({ payload: { context } }) => (context?.type === "navigation" ? [context.url] : []));
  }

  async waiting(): Promise<number> {
    return await this.store.read(async (tx) => (await tx.all("heads")).length);
  }
}

/** What a content script captured of the tab's page. */
export function capture(more: Partial<Capture> = {}): Capture {
  return {
    contextId: "c1",
    type: "page",
    url: "https://articles.example/lamp",
    title: "Lighthouses",
    content: "The keeper lights the lamp.",
    contentFormat: "text",
    capturedAt: "2026-01-31T12:00:00Z",
    ...more,
  };
}

/** The request that hands it in. */
export const handIn = (more: Partial<Capture> = {}, id = "m1") => ({
  kind: "enqueue",
  id,
  timestamp: "2026-01-31T12:00:00Z",
  capture: capture(more),
});
