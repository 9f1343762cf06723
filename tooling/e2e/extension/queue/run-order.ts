import { createQueue, type NewMessage, privacyFilter, type QueueOptions, type QueueStep, type SyncQueue } from "@periscope/sync/core";
import { type Migration, migrations, storeWith } from "../../../../packages/sync/src/core/idb-store.ts";
import { mutations } from "./mutations.ts";

/** What a queue of a test is made with. Queues of different scopes have nothing in common. */
export interface Scope extends Pick<QueueOptions, "batch" | "limits" | "timeoutMs"> {
  database: string;
  baseUrl: string;
  apiKey: string;
  /** Has messages pass the filter of `@periscope/privacy`; without it, all are kept as they are. */
  blockedSites?: string[];
  openMs?: number;
  /** Version of the database; 2 is one that a later version of the extension might have. */
  schema?: 1 | 2;
  /** Name of a mistake that is put into the queue. */
  mutation?: string | undefined;
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

function make({ database, blockedSites, openMs, schema, mutation, ...given }: Scope, state: Clock) {
  const addIndex: Migration = (_db, tx) => void tx.objectStore("heads").createIndex("byTime", "queuedAt");
  const store = storeWith(schema === 2 ? [...migrations, addIndex] : migrations, {
    name: database,
    ...(openMs !== undefined && { openMs }),
  });
  const options: QueueOptions = {
    ...given,
    account: "ada",
    filter: blockedSites === undefined ? (message) => ({ keep: true, message }) : privacyFilter({ blockedSites }),
    store,
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
  };
  if (mutation === undefined) return { queue: createQueue(options), state };
  const mutate = mutations[mutation];
  if (mutate === undefined) throw new Error(`There is no mutation "${mutation}".`);
  const world = { store, account: "ada" };
  return { queue: createQueue(mutate(options, world as Parameters<typeof mutate>[1])), state };
}
