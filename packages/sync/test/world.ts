import type { NewMessage, QueueOptions, Store, SyncEvent, SyncQueue, QueueStep } from "../src/core/index.js";
import { createQueue } from "../src/core/index.js";
import { fakeService, manualClock, memoryLocks } from "./testing/index.js";

/** A worker that runs a queue, and can die at any moment: then nothing that it waits for ever comes, and its locks are free. */
export interface Worker {
  queue: SyncQueue;
  events: SyncEvent[];
  kill(): void;
  /** Dies when it comes to this step. */
  killAt(step: QueueStep): void;
  /** What a call resolves to; undefined when the worker dies before. */
  outcome<T>(call: Promise<T>): Promise<T | undefined>;
}

/** Every step at which a worker may die, in order. */
export const steps: QueueStep[] = [
  "before-enqueue",
  "after-enqueue",
  "after-select",
  "before-send",
  "after-answer",
  "before-settle",
  "after-settle",
];

/** Makes a queue's options those of a worse queue. */
export type Mutation = (options: QueueOptions, world: World) => QueueOptions;

/** Everything outside a queue, with one account signed in and the service in memory. */
export class World {
  readonly service = fakeService();
  readonly clock = manualClock();
  readonly locks = memoryLocks();
  account: string | null = "ada";
  key = (account: string): string => `key of ${account}`;
  #seed = 7;

  constructor(
    readonly store: Store,
    private readonly mutation: Mutation = (options) => options,
  ) {}

  /** The same numbers in every run. */
  random = (): number => {
    this.#seed = (Math.imul(this.#seed, 48_271) >>> 0) % 2_147_483_647;
    return this.#seed / 2_147_483_647;
  };

  start(more: Partial<QueueOptions> = {}): Worker {
    let isDead = false;
    let lastStep: QueueStep | undefined;
    const { promise: died, resolve: die } = Promise.withResolvers<undefined>();
    const events: SyncEvent[] = [];
    const kill = () => {
      isDead = true;
      this.locks.release();
      die(undefined);
    };
    const mortal = async <T>(call: () => Promise<T> | T): Promise<T> => {
      if (isDead) return await new Promise<T>(() => {});
      try {
        return await call();
      } finally {
        if (isDead) await new Promise(() => {});
      }
    };
    const options = this.mutation(
      {
        baseUrl: "http://periscope.test/api/v1",
        account: () => this.account,
        apiKey: (account) => this.key(account),
        filter: (message) => ({ keep: true, message }),
        store: this.store,
        clock: this.clock,
        random: this.random,
        locks: this.locks,
        fetch: (url, init) => this.service.fetch(url, init),
        onEvent: (event) => events.push(event),
        hook: async (step) => {
          if (step === lastStep) kill();
          await mortal(() => {});
        },
        ...more,
      },
      this,
    );
    const { store, account, apiKey, filter, fetch = globalThis.fetch, locks = this.locks } = options;
    // A dead worker asks for no lock, and one that it had asked for passes to the next.
    const request: typeof locks.request = (name, how, work) =>
      mortal(() => locks.request(name, how, () => (isDead ? Promise.resolve(undefined as never) : work())));
    const queue = createQueue({
      ...options,
      locks: { request },
      store: { read: (work) => mortal(() => store.read(work)), write: (work, how) => mortal(() => store.write(work, how)) },
      account: () => mortal(account as () => string | null),
      apiKey: (of) => mortal(() => (apiKey as (of: string) => string)(of)),
      filter: (message) => mortal(() => filter(message)),
      fetch: (url, init) => mortal(() => fetch(url, init)),
    });
    return { queue, events, kill, killAt: (step) => (lastStep = step), outcome: (call) => Promise.race([call, died]) };
  }

  /** Flushes, and moves the clock to where there is something to do again, until nothing waits. Gives up after `rounds`. */
  async drain({ queue }: Worker, rounds = 60): Promise<number> {
    for (let round = 1; round <= rounds; round += 1) {
      const { nextAt, endedBy } = await queue.flush();
      if (endedBy === "empty" && nextAt === null) return round;
      this.clock.advance(Math.max(1, (nextAt ?? 0) - this.clock.now()));
    }
    throw new Error(`Something still waits after ${rounds} flushes.`);
  }

  /** Ids that wait, of all accounts, in order. */
  async waiting(): Promise<string[]> {
    return await this.store.read(async (tx) => (await tx.all("heads")).map((row) => (row as { id: string }).id));
  }
}

/** A page as an extension captures it. */
export function page(content = "The keeper lights the lamp.", more: { id?: string; type?: "page" | "selection" | "navigation" } = {}) {
  const { id, type = "page" } = more;
  const tabMetadata = { id: "7", url: "https://articles.example/lamp", title: "Lighthouses" };
  const context = { type, tabId: "7", capturedAt: "2026-01-31T12:00:00Z", content, tabMetadata };
  return { type: "create", ...(id !== undefined && { id }), payload: { context } } satisfies NewMessage;
}

/** Says that a tab is still looked at. */
export const heartbeat = (contextId = "c1"): NewMessage => ({ type: "heartbeat", payload: { contextId } });
