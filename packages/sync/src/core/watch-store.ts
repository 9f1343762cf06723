import type { Store, StoreTransaction } from "./store.js";

/** A store, and whether an error came from it rather than from what was done with it. */
export interface WatchedStore {
  store: Store;
  isOfStore(error: unknown): boolean;
}

const calls = ["get", "list", "all", "count", "add", "put", "delete"] as const;

/** Marks the errors of a store where they come from: a mistake of a program within a transaction is none of the disk's. */
export function watchStore(store: Store): WatchedStore {
  const seen = new WeakSet();
  const mark = (error: unknown): never => {
    const marked = error instanceof Object ? error : new Error(String(error));
    seen.add(marked);
    throw marked;
  };
  const watched = (tx: StoreTransaction): StoreTransaction => {
    const view: Record<string, unknown> = {};
    for (const name of calls) {
      view[name] = async (...given: unknown[]) => {
        try {
          return await (tx[name] as (...given: unknown[]) => Promise<unknown>).apply(tx, given);
        } catch (error) {
          return mark(error);
        }
      };
    }
    return view as unknown as StoreTransaction;
  };
  async function run<T>(begin: (work: (tx: StoreTransaction) => Promise<T>) => Promise<T>, work: (tx: StoreTransaction) => Promise<T>) {
    let own: { error: unknown } | undefined;
    try {
      return await begin(async (tx) => {
        try {
          return await work(watched(tx));
        } catch (error) {
          own = { error };
          throw error;
        }
      });
    } catch (error) {
      // One that the work did not end with is that of the transaction, such as the quota.
      if (own?.error === error) throw error;
      return mark(error);
    }
  }
  return {
    store: {
      read: (work) => run((inner) => store.read(inner), work),
      write: (work, options) => run((inner) => store.write(inner, options), work),
    },
    isOfStore: (error) => error instanceof Object && seen.has(error),
  };
}
