import { createQueue, privacyFilter, type QueueOptions, type QueueStep, type SyncQueue } from "@periscope/sync/core";
import { type Migration, migrations, storeWith } from "../../../../packages/sync/src/core/idb-store.ts";
import { mutations } from "./mutations.ts";
import type { Order, Outcomes, Scope } from "./orders.ts";

interface Entry {
  queue: SyncQueue;
  clockOffset: number;
  parkAt: QueueStep | undefined;
}

const entries = new Map<string, Entry>();
const life = crypto.randomUUID();

/** Runs an order on the queue of its scope, which is made when it is first asked for. */
export async function runOrder(order: Order): Promise<Outcomes[keyof Outcomes]> {
  const { queue } = entryOf(order);
  const { call } = order;
  switch (call.do) {
    case "enqueue": {
      const options = call.mergeKey === undefined ? {} : { mergeKey: call.mergeKey };
      return await Promise.all(call.messages.map((message) => queue.enqueue(message, options)));
    }
    case "flush":
      return await queue.flush(call.deadlineMs === undefined ? {} : { deadlineMs: call.deadlineMs });
    case "status":
      return await queue.status();
    case "dead":
      return await queue.deadLetters.list(1_000);
    case "retry":
      return await queue.deadLetters.retry((await queue.deadLetters.list(1_000)).map(({ id }) => id));
    case "life":
      return life;
  }
}

function entryOf({ scope, clockOffset, parkAt }: Order): Entry {
  const name = JSON.stringify(scope);
  const entry = entries.get(name) ?? make(scope);
  Object.assign(entry, { clockOffset, parkAt });
  entries.set(name, entry);
  return entry;
}

function make(scope: Scope): Entry {
  const { database, baseUrl, apiKey, batchItems, timeoutMs, limits, privacy, openMs, schema, mutation } = scope;
  const addIndex: Migration = (_db, tx) => void tx.objectStore("heads").createIndex("byTime", "queuedAt");
  const store = storeWith(schema === 2 ? [...migrations, addIndex] : migrations, {
    name: database,
    ...(openMs !== undefined && { openMs }),
  });
  const options: QueueOptions = {
    baseUrl,
    account: "ada",
    apiKey,
    filter: privacy === undefined ? (message) => ({ keep: true, message }) : privacyFilter({ ...privacy }),
    store,
    ...(limits && { limits }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(batchItems !== undefined && { batch: { items: batchItems } }),
    extensionId: "e2e",
    clock: {
      now: () => Date.now() + entry.clockOffset,
      after(ms, call) {
        const timer = setTimeout(call, ms);
        return () => clearTimeout(timer);
      },
    },
    locks: navigator.locks,
    random: Math.random,
    fetch: (url, init) => fetch(url, init),
    async hook(step) {
      if (step !== entry.parkAt) return;
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
      new BroadcastChannel("parked").postMessage(step);
      await new Promise(() => {});
    },
  };
  const mutate = mutation === undefined ? undefined : mutations[mutation];
  if (mutation !== undefined && mutate === undefined) throw new Error(`There is no mutation "${mutation}".`);
  const world = { store, account: "ada" };
  const queue = createQueue(mutate === undefined ? options : mutate(options, world as Parameters<typeof mutate>[1]));
  const entry: Entry = { queue, clockOffset: 0, parkAt: undefined };
  return entry;
}
