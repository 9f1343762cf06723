import type { Store, StoreTransaction } from "./store.js";

/** A store, and whether an error came from it rather than from what was done with it. */
export interface WatchedStore {
  store: Store;
  isOfStore(error: unknown): boolean;
}

type Work<T> = (tx: StoreTransaction) => Promise<T>;
type Calls = Record<string | symbol, (...given: unknown[]) => Promise<unknown>>;

/** Marks the errors of a store where they come from: a mistake of a program within a transaction is none of the disk's. */
export function watchStore(store: Store): WatchedStore {
  const seen = new WeakSet();
  const marked = (error: unknown): Error => {
    const sure = error instanceof Error ? error : new Error(String(error));
    seen.add(sure);
    return sure;
  };
  const watched = (tx: StoreTransaction): StoreTransaction =>
    new Proxy(tx, {
      get:
        (calls, name) =>
        async (...given: unknown[]) => {
          try {
            return await (calls as unknown as Calls)[name]?.(...given);
          } catch (error) {
            throw marked(error);
          }
        },
    });
  async function run<T>(begin: (work: Work<T>) => Promise<T>, work: Work<T>): Promise<T> {
    let own: unknown;
    try {
      return await begin(async (tx) => {
        try {
          return await work(watched(tx));
        } catch (error) {
          own = error;
          throw error;
        }
      });
    } catch (error) {
      // One that the work did not end with is that of the transaction, such as the quota.
      throw own === error ? error : marked(error);
    }
  }
  return {
    store: {
      read: (work) => run((inner) => store.read(inner), work),
      write: (work, options) => run((inner) => store.write(inner, options), work),
    },
    isOfStore: (error) => error instanceof Error && seen.has(error),
  };
}
