import { hash } from "node:crypto";
import type { CopiedRow, CopiedTable } from "./copied-tables.js";

/** Rows of a table as far as they have been read, in their order. */
export interface TableState {
  rows: number;
  /** SHA-256 of the last row's JSON after the hash of all rows before it, hex; so it says their order too. */
  hash: string;
}

/** Before the first row. */
export const noRows: TableState = { rows: 0, hash: "" };

/** The state after one more row. */
export function withRow({ columns }: CopiedTable, { rows, hash: before }: TableState, row: CopiedRow): TableState {
  const values = Object.keys(columns).map((name) => row[name]);
  return { rows: rows + 1, hash: hash("sha256", before + JSON.stringify(values), "hex") };
}

/** Whether the same rows were read in the same order. */
export function isSameState(one: TableState, other: TableState): boolean {
  return one.rows === other.rows && one.hash === other.hash;
}
