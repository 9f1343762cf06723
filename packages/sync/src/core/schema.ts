import type { IDBPDatabase, IDBPTransaction } from "idb";
import type { IndexName, TableName } from "./store.js";

/** Key path of each index; a row without one of its parts is not in it. */
export const indexes: Readonly<Record<IndexName, readonly string[]>> = {
  byId: ["partition", "id"],
  bySeq: ["partition", "seq"],
  byRank: ["partition", "rank", "sent", "seq"],
  byMergeKey: ["partition", "mergeKey", "seq"],
};

/** Tables whose rows hold their own key, `seq`; the others are given it. */
export const tablesWithSeq: readonly TableName[] = ["heads", "dead", "quarantine"];

/** A step from one version of the database to the next. It keeps what is stored. */
export type Migration = (db: IDBPDatabase, tx: IDBPTransaction<unknown, string[], "versionchange">) => void;

/** The steps from an empty database to this version's; their number is the version. Steps are added, never changed. */
export const migrations: readonly Migration[] = [
  (db) => {
    const heads = db.createObjectStore("heads", { keyPath: "seq", autoIncrement: true });
    const dead = db.createObjectStore("dead", { keyPath: "seq" });
    for (const name of ["byId", "bySeq", "byRank", "byMergeKey"] as const) heads.createIndex(name, [...indexes[name]]);
    for (const name of ["byId", "bySeq"] as const) dead.createIndex(name, [...indexes[name]]);
    db.createObjectStore("bodies");
    db.createObjectStore("state");
    db.createObjectStore("quarantine", { keyPath: "seq", autoIncrement: true });
  },
];
