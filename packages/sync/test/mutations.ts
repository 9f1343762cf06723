import type { Store, StoreTransaction } from "../src/core/index.js";
import type { Mutation } from "./world.js";

// Queues that are worse than ours, each by one mistake that was made elsewhere. They stand in tests alone: a mistake is put in from outside,
// in what the queue is given, where it comes to the same as in the queue.

type Change = (tx: StoreTransaction) => Partial<StoreTransaction>;

const changing = (store: Store, change: Change): Store => ({
  read: (work) => store.read((tx) => work({ ...tx, ...change(tx) })),
  write: (work, how) => store.write((tx) => work({ ...tx, ...change(tx) }), how),
});

/** Changes rows of a table as they are written. */
const rewriting =
  (table: string, rewrite: (row: any) => object): Mutation =>
  (options) => ({
    ...options,
    store: changing(options.store, (tx) => ({
      put: (to, row, key) => tx.put(to, to === table ? rewrite(row) : row, key),
    })),
  });

/** Changes what the queue reads by an index. */
const relisting =
  (index: string, relist: (rows: any[]) => object[]): Mutation =>
  (options) => ({
    ...options,
    store: changing(options.store, (tx) => ({
      async list(table, listing) {
        const rows = await tx.list(table, listing);
        return listing.index === index ? relist(rows) : rows;
      },
    })),
  });

/** Changes the answers that the queue is given. */
const answering =
  (change: (answer: any, sent: { id: string }[]) => object): Mutation =>
  (options) => ({
    ...options,
    async fetch(url, init) {
      const response = await options.fetch!(url, init);
      const text = await response.text();
      if (response.status !== 207) return new Response(text, response);
      return Response.json(change(JSON.parse(text), JSON.parse(init.body as string).messages), { status: 207 });
    },
  });

/** A mistake, and the scenario that finds it. */
interface Mistake {
  finds: string;
  mutate: Mutation;
}

/** By what a queue with the mistake does. */
export const mistakes: Record<string, Mistake> = {
  "deletes before it sends": {
    finds: "F1: a worker that dies at any step loses nothing and doubles nothing",
    mutate: (options, world) => ({
      ...options,
      async hook(step) {
        if (step === "before-send") {
          await world.store.write(async (tx) => {
            for (const row of (await tx.all("heads")) as { seq: number; attempts: number }[])
              if (row.attempts > 0) await tx.delete("heads", row.seq);
          });
        }
        await options.hook?.(step);
      },
    }),
  },
  "is done when the requests succeeded, before the transaction is": {
    finds: "F14: a failed write is dropped for that reason and counted, never queued",
    mutate: (options) => ({
      ...options,
      store: {
        read: (work) => options.store.read(work),
        write: (work, how) =>
          new Promise((resolve, reject) => {
            const early = async (tx: StoreTransaction) => {
              const result = await work(tx);
              resolve(result);
              return result;
            };
            options.store.write(early, how).catch(reject);
          }),
      },
    }),
  },
  "keeps the time of a rate limit in memory": {
    finds: "F7: nothing is sent before the time that a 429 says, also by the next worker",
    mutate: (options) => {
      const blocks = new Map<unknown, unknown>();
      return {
        ...options,
        store: changing(options.store, (tx) => ({
          async get(table, key) {
            const row = await tx.get(table, key);
            return table === "state" && row !== undefined && blocks.has(key) ? { ...row, block: blocks.get(key) } : row;
          },
          put(table, row, key) {
            if (table !== "state") return tx.put(table, row, key);
            const { block, ...rest } = row as { block?: unknown };
            if (block === undefined) blocks.delete(key);
            else blocks.set(key, block);
            return tx.put(table, rest, key);
          },
        })),
      };
    },
  },
  "reuses the id of a heartbeat that was sent": {
    finds: "heartbeats replace each other while they were never sent, and never after",
    mutate: relisting("byMergeKey", (rows) => rows.map((row) => ({ ...row, attempts: 0 }))),
  },
  "matches results by their place": {
    finds: "F5: each message gets the result of its own id, in whatever order they come",
    mutate: answering((answer, sent) => ({
      ...answer,
      results: answer.results.map((result: object, place: number) => ({ ...result, messageId: sent[place]?.id })),
    })),
  },
  "takes what an answer does not name as stored": {
    finds: "F6: an answer that is foreign, too short or contradicts itself deletes nothing",
    mutate: answering((answer, sent) => ({
      ...answer,
      results: [
        ...answer.results,
        ...sent
          .filter(({ id }) => !answer.results.some((result: any) => result?.messageId === id))
          .map(({ id }) => ({ messageId: id, status: "success" })),
      ],
    })),
  },
  "takes any answer of 200 as success": {
    finds: "F9: an answer that is not the service's deletes nothing, and attempts time out",
    mutate: (options) => ({
      ...options,
      async fetch(url, init) {
        const response = await options.fetch!(url, init);
        if (response.status !== 200) return response;
        const { id, messages } = JSON.parse(init.body as string);
        return Response.json({ messageId: id, results: messages.map((message: any) => ({ messageId: message.id, status: "success" })) });
      },
    }),
  },
  "makes a new id for each attempt": {
    finds: "F4: a stored message whose answer was lost is a duplicate, and no failure",
    mutate: (options) => ({
      ...options,
      async fetch(url, init) {
        const names = new Map<string, string>();
        const envelope = JSON.parse(init.body as string);
        for (const message of envelope.messages) {
          names.set(message.id, `${message.id} ${options.random!()}`);
          message.id = names.get(message.id);
        }
        const response = await options.fetch!(url, { ...init, body: JSON.stringify(envelope) });
        let text = await response.text();
        for (const [id, name] of names) text = text.replaceAll(name, id);
        return new Response(response.status === 204 ? null : text, response);
      },
    }),
  },
  "drains without a lock": {
    finds: "F16: workers draining at once send each message once, one request at a time",
    mutate: (options) => ({ ...options, locks: { request: (_name, _options, work) => work() } }),
  },
  "waits for an answer for ever": {
    finds: "F9: an answer that is not the service's deletes nothing, and attempts time out",
    mutate: (options) => ({ ...options, clock: { ...options.clock!, after: () => () => {} } }),
  },
  "sends under whatever key there is": {
    finds: "F21: messages wait for their own account",
    mutate: (options, world) => ({
      ...options,
      account: () => (world.account === null ? null : "ada"),
      apiKey: () => (options.apiKey as (account: string) => string)(world.account ?? ""),
    }),
  },
  "does not count who died of what": {
    finds: "F13: only the message that crashes the worker is given up, after 3 starts",
    mutate: rewriting("heads", (head) => ({ ...head, starts: 0 })),
  },
  "does not count what it drops": {
    finds: "F15: without room the least important goes first, and drops are counted",
    mutate: rewriting("state", (state) => ({ ...state, tallies: {}, unreported: {} })),
  },
  "never halves a batch that is refused": {
    finds: "F12: workers that live for one request each find the message at fault",
    mutate: rewriting("state", (state) => ({ ...state, room: undefined })),
  },
  "drops the oldest, whatever it is": {
    finds: "F15: without room the least important goes first, and drops are counted",
    mutate: (options) => ({
      ...options,
      store: changing(options.store, (tx) => ({
        add: (table, row) => tx.add(table, { ...row, rank: 2 }),
      })),
    }),
  },
  "sends in the order of the clock": {
    finds: "F20: a clock that jumps makes no wait longer, no storm, and no other order",
    mutate: relisting("bySeq", (rows) => rows.sort((one, other) => one.queuedAt - other.queuedAt)),
  },
  "lets pass what a rule fails on": {
    finds: "F24: what a rule blocks or fails on reaches neither disk nor wire",
    mutate: (options) => ({
      ...options,
      async filter(message) {
        try {
          return await options.filter(message);
        } catch {
          return { keep: true, message };
        }
      },
    }),
  },
};
