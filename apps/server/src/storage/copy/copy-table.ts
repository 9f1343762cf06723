import type { CopiedRow, CopiedTable } from "./copied-tables.js";
import type { CopyMark, CopyTarget, Snapshot } from "./copy-ends.js";
import { isSameState, noRows, type TableState, withRow } from "./row-chain.js";

/** What one transaction writes at most: so much memory is needed, twice, and so much is done again after a crash. */
const batchRows = 1_000;
const batchChars = 1_000_000;

/** What has been copied before is not what the source has now: it has to be copied from the start. */
export class SourceChanged extends Error {
  override readonly name = "SourceChanged";
}

export interface TableCopy {
  table: CopiedTable;
  source: Snapshot;
  target: CopyTarget;
  /** As the target has it. */
  mark: CopyMark;
  /** Told of each part that is in the target now. */
  onRows: (rows: number) => void;
  /** Asked before each part. */
  isStopped: () => boolean;
}

/**
 * Copies what a table has past the rows that are there already, which are read and hashed once more: a source that has changed since
 * they were copied is noticed, and one that has only grown is followed. Returns the mark after the last part; before the end of the
 * table when it was stopped. Throws {@link SourceChanged}.
 */
export async function copyTable({ table, source, target, mark, onRows, isStopped }: TableCopy): Promise<CopyMark> {
  const known = mark.tables[table.name] ?? noRows;
  let state: TableState = noRows;
  let written = mark;
  let under: Promise<void> = Promise.resolve();
  // While the database writes a part, the next one is read and analysed.
  const write = async (rows: readonly CopiedRow[]) => {
    written = { ...written, tables: { ...written.tables, [table.name]: state } };
    const next = target.write(table, rows, written);
    // Looked at after the one before it; until then its failure is nobody's.
    next.catch(() => {});
    await under;
    under = next.then(() => onRows(rows.length));
    under.catch(() => {});
  };
  for await (const rows of batches(unknownRows())) {
    if (isStopped()) break;
    await write(rows);
  }
  await under;
  return written;

  async function* unknownRows(): AsyncGenerator<CopiedRow> {
    for await (const rows of source.read(table)) {
      for (const row of rows) {
        state = withRow(table, state, row);
        if (state.rows === known.rows && !isSameState(state, known)) throw new SourceChanged();
        // Asked for no sooner than it is wanted: the state is always that after the last row of a batch.
        if (state.rows > known.rows) yield row;
      }
      // Files are read without a turn of the event loop, and signals need one.
      await new Promise(setImmediate);
    }
    if (state.rows < known.rows) throw new SourceChanged();
  }
}

async function* batches(rows: AsyncIterable<CopiedRow>): AsyncGenerator<CopiedRow[]> {
  let batch: CopiedRow[] = [];
  let chars = 0;
  for await (const row of rows) {
    batch.push(row);
    for (const value of Object.values(row)) if (typeof value === "string") chars += value.length;
    if (batch.length < batchRows && chars < batchChars) continue;
    yield batch;
    batch = [];
    chars = 0;
  }
  if (batch.length > 0) yield batch;
}
