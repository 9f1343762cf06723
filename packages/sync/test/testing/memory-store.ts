import { indexes, type Listing, type Store, type StoreTransaction, type TableName } from "../../src/core/store.js";

type Key = number | string;
type Row = Record<string, unknown>;

/**
 * A store in memory, for tests: as IndexedDB it runs writes one after the other, copies what it is given, and takes all of a transaction or
 * nothing. It holds what it holds as long as it lives: queues may come and go on it.
 */
export function memoryStore(): Store {
  const tables = new Map<TableName, Map<Key, unknown>>();
  let last = 0;
  let turn: Promise<unknown> = Promise.resolve();

  const table = (name: TableName): Map<Key, unknown> => {
    const found = tables.get(name) ?? new Map<Key, unknown>();
    tables.set(name, found);
    return found;
  };

  function serialize<T>(work: (tx: StoreTransaction) => Promise<T>): Promise<T> {
    const done = turn.then(async () => {
      const undo: (() => void)[] = [];
      try {
        return await work(transaction(undo));
      } catch (error) {
        for (const step of undo.toReversed()) step();
        throw error;
      }
    });
    turn = done.catch(() => {});
    return done;
  }

  function transaction(undo: (() => void)[]): StoreTransaction {
    function change(name: TableName, key: Key, value: unknown): void {
      const rows = table(name);
      const had = rows.has(key);
      const before = rows.get(key);
      undo.push(() => (had ? rows.set(key, before) : rows.delete(key)));
      if (value === undefined) rows.delete(key);
      else rows.set(key, value);
    }
    return {
      get: async (name, key) => structuredClone(table(name).get(key)),
      list: async (name, listing) => structuredClone(listed(table(name), listing)),
      all: async (name) => structuredClone([...table(name).entries()].sort(([one], [other]) => order(one, other)).map(([, row]) => row)),
      async add(name, row) {
        const seq = ++last;
        change(name, seq, structuredClone({ ...row, seq }));
        return seq;
      },
      async put(name, row, key) {
        const at = key ?? ((row as Row)["seq"] as Key | undefined);
        if (at === undefined) throw new TypeError(`A row of ${name} needs a key.`);
        change(name, at, structuredClone(row));
      },
      async delete(name, key) {
        change(name, key, undefined);
      },
    };
  }

  return { read: serialize, write: serialize };
}

function listed(rows: ReadonlyMap<Key, unknown>, { index, prefix, after, limit = Infinity }: Listing): unknown[] {
  const path = indexes[index];
  const found: { key: Key[]; row: unknown }[] = [];
  for (const row of rows.values()) {
    const key = path.map((name) => (row as Row)[name] as Key);
    const isIn = key.every((part) => typeof part === "number" || typeof part === "string") && prefix.every((part, at) => key[at] === part);
    if (isIn && (after === undefined || orderOfKeys(key, after) > 0)) found.push({ key, row });
  }
  found.sort((one, other) => orderOfKeys(one.key, other.key));
  return found.slice(0, limit).map(({ row }) => row);
}

function orderOfKeys(one: readonly Key[], other: readonly Key[]): number {
  for (const [at, part] of one.entries()) {
    const against = other[at];
    if (against === undefined) return 1;
    const ordered = order(part, against);
    if (ordered !== 0) return ordered;
  }
  return one.length - other.length;
}

/** As IndexedDB orders keys: numbers before texts. */
function order(one: Key, other: Key): number {
  if (typeof one !== typeof other) return typeof one === "number" ? -1 : 1;
  return one < other ? -1 : one > other ? 1 : 0;
}
