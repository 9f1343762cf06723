import { type IDBPDatabase, type IDBPTransaction, openDB } from "idb";
import { withinTime } from "./connection.js";
import { systemClock } from "./options.js";
import { indexes, type Store, type StoreTransaction, type TableName, type WriteOptions } from "./store.js";

/** A step from one version of the database to the next. It keeps what is stored. */
export type Migration = (db: IDBPDatabase, tx: IDBPTransaction<unknown, string[], "versionchange">) => void;

/** The steps from an empty database to this version's; their number is the version. Steps are added, never changed. */
export const migrations: readonly Migration[] = [
  (db) => {
    const heads = db.createObjectStore("heads", { keyPath: "seq", autoIncrement: true });
    const dead = db.createObjectStore("dead", { keyPath: "seq" });
    for (const name of ["byId", "bySeq", "byMergeKey"] as const) heads.createIndex(name, [...indexes[name]]);
    for (const name of ["byId", "bySeq"] as const) dead.createIndex(name, [...indexes[name]]);
    db.createObjectStore("bodies");
    db.createObjectStore("state");
  },
];

/** Where the database is, for hosts with more than one queue. */
export interface IdbStoreOptions {
  /** Default `periscope-sync`. */
  name?: string;
  /** How long an opening is waited for, in milliseconds. Default 5,000. */
  openMs?: number;
}

const tables: TableName[] = ["heads", "bodies", "dead", "state"];
type Mode = "readonly" | "readwrite";
type Transaction = IDBPTransaction<unknown, string[], Mode>;

/**
 * A store in IndexedDB: in an extension its own, which no page can read, opened by the service worker. A write resolves when its transaction is
 * complete, not when the requests in it succeeded: at the quota those succeed and are rolled back. Rejects within `openMs` when the
 * database does not open, as while an older version of the extension holds it; a later call tries again.
 * @throws TypeError where there is no IndexedDB
 */
export function idbStore(options: IdbStoreOptions = {}): Store {
  if (!("indexedDB" in globalThis)) throw new TypeError("There is no IndexedDB here. Pass a `store` of your own.");
  return storeWith(migrations, options);
}

/** A store whose database is made in these steps. */
export function storeWith(steps: readonly Migration[], { name = "periscope-sync", openMs = 5_000 }: IdbStoreOptions): Store {
  let opening: Promise<IDBPDatabase> | undefined;

  function open(): Promise<IDBPDatabase> {
    opening ??= openDB(name, steps.length, {
      upgrade(db, oldVersion, _, tx) {
        for (const migrate of steps.slice(oldVersion)) migrate(db, tx);
      },
      // A newer version of the extension wants in: it must not wait for this one.
      blocking(_current, _blocked, event) {
        forget();
        (event.target as unknown as { close(): void }).close();
      },
      terminated: forget,
    });
    opening.catch(forget);
    const late = new Error(`The database did not open in ${openMs / 1_000} s; another version of the program may hold it.`);
    return withinTime({ clock: systemClock }, openMs, () => opening as Promise<IDBPDatabase>, late);
  }

  function forget(): void {
    opening = undefined;
  }

  async function begin(mode: Mode, options: WriteOptions = {}): Promise<Transaction> {
    const db = await open();
    try {
      return db.transaction(tables, mode, options);
    } catch (error) {
      // "The connection is closing": it was closed behind our back.
      if ((error as Error).name !== "InvalidStateError") throw error;
      forget();
      return (await open()).transaction(tables, mode, options);
    }
  }

  async function run<T>(tx: Transaction, work: (tx: StoreTransaction) => Promise<T>): Promise<T> {
    // Awaited at the end; without this a failure before that would be nobody's.
    tx.done.catch(() => {});
    let result: T;
    try {
      result = await work(viewOf(tx));
    } catch (error) {
      try {
        tx.abort();
      } catch {
        // It has ended already.
      }
      // The reason for an abort, such as the quota, says more than the request that the abort ended.
      throw tx.error ?? error;
    }
    await tx.done;
    return result;
  }

  return {
    read: async (work) => await run(await begin("readonly"), work),
    write: async (work, options) => await run(await begin("readwrite", options), work),
  };
}

function viewOf(tx: Transaction): StoreTransaction {
  const writable = (table: TableName) =>
    tx.objectStore(table) as ReturnType<IDBPTransaction<unknown, string[], "readwrite">["objectStore"]>;
  return {
    get: (table, key) => tx.objectStore(table).get(key),
    list(table, { index, prefix, after, limit }) {
      // An array is greater than every number and text, so that this is the end of all keys that begin with the prefix.
      const range = keyRanges().bound([...(after ?? prefix)], [...prefix, []], after !== undefined);
      return tx.objectStore(table).index(index).getAll(range, limit);
    },
    all: (table) => tx.objectStore(table).getAll(),
    add: async (table, row) => (await writable(table).add(row)) as number,
    async put(table, row, key) {
      await writable(table).put(row, key);
    },
    async delete(table, key) {
      await writable(table).delete(key);
    },
  };
}

type KeyRange = Parameters<IDBPDatabase["getAll"]>[1];

/** By way of `globalThis`: programs without the types of a browser, as on a server, read this source too. */
function keyRanges(): { bound(lower: unknown, upper: unknown, isLowerOpen: boolean): KeyRange } {
  return (globalThis as unknown as { IDBKeyRange: ReturnType<typeof keyRanges> }).IDBKeyRange;
}
