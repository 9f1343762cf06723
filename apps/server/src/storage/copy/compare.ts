import { copiedTables } from "./copied-tables.js";
import type { Snapshot } from "./copy-ends.js";
import { isSameState, noRows, type TableState, withRow } from "./row-chain.js";

/** A table on both sides. */
export interface TableComparison {
  table: string;
  source: TableState;
  target: TableState;
  isSame: boolean;
}

/** What two databases have been found to hold. */
export interface Comparison {
  tables: TableComparison[];
  /** Contexts of the target, and how many of them have their place in its search index. */
  index: { contexts: number; indexed: number; isSame: boolean };
}

/** Whether nothing differs. */
export function isSameInstallation({ tables, index }: Comparison): boolean {
  return index.isSame && tables.every(({ isSame }) => isSame);
}

/** Reads all of a table. */
export async function stateOf(
  snapshot: Snapshot,
  table: (typeof copiedTables)[number],
  onRows: (rows: number) => void,
): Promise<TableState> {
  let state = noRows;
  for await (const rows of snapshot.read(table)) {
    for (const row of rows) state = withRow(table, state, row);
    onRows(rows.length);
  }
  return state;
}

/**
 * Compares the target with the source, row by row.
 * @param sourceState what the source has of a table, where it is not known yet
 */
export async function compare(
  target: Snapshot,
  sourceState: (table: (typeof copiedTables)[number]) => TableState | Promise<TableState>,
  onRows: (rows: number) => void,
): Promise<Comparison> {
  const tables: TableComparison[] = [];
  for (const table of copiedTables) {
    const source = await sourceState(table);
    const found = await stateOf(target, table, onRows);
    tables.push({ table: table.name, source, target: found, isSame: isSameState(source, found) });
  }
  const contexts = tables[0]?.target.rows ?? 0;
  const indexed = await target.countIndexed();
  return { tables, index: { contexts, indexed, isSame: contexts === indexed } };
}
