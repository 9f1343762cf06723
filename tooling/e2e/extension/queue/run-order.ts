import { createQueue, idbStore, type NewMessage, type QueueOptions, type QueueStep, type SyncQueue } from "@periscope/sync/core";

/** What a queue of a test is made with. Queues of different scopes have nothing in common. */
export interface Scope extends Pick<QueueOptions, "batch" | "limits" | "timeoutMs"> {
  database: string;
  baseUrl: string;
  apiKey: string;
}

/** What can be asked of a queue. */
const calls = {
  enqueue: (queue: SyncQueue, messages: NewMessage[] = []) => Promise.all(messages.map((message) => queue.enqueue(message))),
  flush: (queue: SyncQueue, options?: { deadlineMs: number }) => queue.flush(options),
  status: (queue: SyncQueue) => queue.status(),
  dead: (queue: SyncQueue) => queue.deadLetters.list(1_000),
  /** How many dead letters were put back. */
  retry: async (queue: SyncQueue) => await queue.deadLetters.retry((await queue.deadLetters.list(1_000)).map(({ id }) => id)),
  /** Another one for each life of a worker. */
  life: async () => life,
};
export type Calls = typeof calls;

/** An order to a worker, or to a page that runs a queue of its own. */
export interface Order<Name extends keyof Calls = keyof Calls> {
  scope: Scope;
  call: Name;
  input?: Parameters<Calls[Name]>[1] | undefined;
  /** Milliseconds by which the queue's clock is ahead of the system's. */
  clockOffset: number;
  /** Where the queue stands still, and says so. */
  parkAt?: QueueStep | undefined;
}

/** How an order ended: with an outcome, or with an error. */
export type Answer = { outcome: unknown } | { failed: string };

type Clock = Pick<Order, "clockOffset" | "parkAt">;

const queues = new Map<string, { queue: SyncQueue; state: Clock }>();
const life = crypto.randomUUID();

/** Runs an order on the queue of its scope, which is made when it is first asked for. */
export async function runOrder({ scope, call, input, ...state }: Order): Promise<Answer> {
  const name = JSON.stringify(scope);
  const known = queues.get(name) ?? make(scope, state);
  queues.set(name, known);
  Object.assign(known.state, { parkAt: undefined, ...state });
  try {
    return { outcome: await (calls[call] as (queue: SyncQueue, input: unknown) => Promise<unknown>)(known.queue, input) };
  } catch (error) {
    return { failed: String(error) };
  }
}

function make({ database, ...given }: Scope, state: Clock) {
  const queue = createQueue({
    ...given,
    account: "ada",
    filter: (message) => ({ keep: true, message }),
    store: idbStore({ name: database }),
    extensionId: "e2e",
    clock: {
      now: () => Date.now() + state.clockOffset,
      after(ms, call) {
        const timer = setTimeout(call, ms);
        return () => clearTimeout(timer);
      },
    },
    locks: navigator.locks,
    random: Math.random,
    fetch: (url, init) => fetch(url, init),
    async hook(step) {
      if (step !== state.parkAt) return;
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
      new BroadcastChannel("parked").postMessage(step);
      await new Promise(() => {});
    },
  });
  return { queue, state };
}
