/** Where a queue keeps things. `heads` and `dead` hold what is decided on, `bodies` the JSON of messages, so that no decision reads a message. */
export type TableName = "heads" | "bodies" | "dead" | "state";

/**
 * Orders that rows can be read in. `byId`: by the fields `account` and `id`; `bySeq`: `account` and `seq`; `byMergeKey`: `account`, `mergeKey` and
 * `seq`. A row without one of them is not in that order. Keys compare as in IndexedDB. The bare table is in order of its key.
 */
export type IndexName = "byId" | "bySeq" | "byMergeKey";

/** Key path of each index. */
export const indexes: Readonly<Record<IndexName, readonly string[]>> = {
  byId: ["account", "id"],
  bySeq: ["account", "seq"],
  byMergeKey: ["account", "mergeKey", "seq"],
};

/** Which rows to read of an index: those whose key begins with `prefix`, after `after` if given, at most `limit`. */
export interface Listing {
  index: IndexName;
  prefix: readonly (number | string)[];
  /** A whole key of the index: only rows after it. */
  after?: readonly (number | string)[];
  limit?: number;
}

/** What can be done inside a transaction. Rows are read as `unknown`: whatever stands on a disk may have been damaged there. */
export interface StoreTransaction {
  get(table: TableName, key: number | string): Promise<unknown>;
  list(table: "heads" | "dead", listing: Listing): Promise<unknown[]>;
  all(table: TableName): Promise<unknown[]>;
  /** Adds a head, whose `seq` is made by the store: greater than every one before. Resolves to it. */
  add(table: "heads", row: object): Promise<number>;
  /** Heads and dead letters bring their key as `seq`; the other tables are given it. */
  put(table: TableName, row: unknown, key?: number | string): Promise<void>;
  delete(table: TableName, key: number | string): Promise<void>;
}

/** How a transaction is written: `strict` asks for it to be on the disk, and not only on its way there, when it is said to be done. */
export interface WriteOptions {
  durability?: "strict" | "relaxed" | "default";
}

/**
 * Storage of a queue. Both calls resolve only when the transaction is complete, and reject when nothing of it took effect. `work` may await
 * nothing but the transaction's own calls.
 */
export interface Store {
  read<T>(work: (tx: StoreTransaction) => Promise<T>): Promise<T>;
  write<T>(work: (tx: StoreTransaction) => Promise<T>, options?: WriteOptions): Promise<T>;
}

/** Reads rows of the index `bySeq` one after the other, `page` at a time. The caller may delete those that it has been given. */
export async function* rowsOf(tx: StoreTransaction, table: "heads" | "dead", account: string, page = 200) {
  let after: number | undefined;
  for (;;) {
    const from = after === undefined ? {} : { after: [account, after] };
    const rows = await tx.list(table, { index: "bySeq", prefix: [account], limit: page, ...from });
    for (const row of rows) {
      after = (row as { seq: number }).seq;
      yield row;
    }
    if (rows.length < page) return;
  }
}
