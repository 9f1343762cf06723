import { compare, type Comparison, isSameInstallation, stateOf } from "./compare.js";
import { copiedTables } from "./copied-tables.js";
import type { CopyMark, CopyTarget, Snapshot } from "./copy-ends.js";
import { copyTable, SourceChanged } from "./copy-table.js";
import { noRows } from "./row-chain.js";

export interface CopyOptions {
  source: Snapshot;
  target: CopyTarget;
  /** Where the source is, as it may be printed. */
  from: string;
  /** Where the target is, as it may be printed. */
  to: string;
  /** Opens what was written, to be read again. */
  openTargetSnapshot: () => Promise<Snapshot>;
  /** Removes what an earlier copy has left, of whatever installation, and begins anew. */
  startOver: boolean;
  /** Rows of all tables that are in the target, of how many. */
  onCopied: (done: number, total: number) => void;
  onCompared: (done: number, total: number) => void;
  /** True ends the run after the part that is under way. */
  isStopped: () => boolean;
}

/** What a run has done. */
export interface CopyReport {
  /** Rows that an earlier run had copied. */
  rowsBefore: number;
  /** Whether what an earlier run had copied was removed, because the source has changed since. */
  sourceChanged: boolean;
  /** Milliseconds that copying took, without the comparison. */
  copyMs: number;
  /** null when the run was stopped: the same again goes on there. */
  comparison: Comparison | null;
}

/** The target cannot take the copy; nothing was changed. */
class TargetTaken extends Error {
  override readonly name = "TargetTaken";
}

/**
 * Copies an installation into an empty database, or goes on with a copy of it that has not come to its end; then compares the two, and
 * leaves a copy that differs marked as unfinished. Throws {@link TargetTaken}.
 */
export async function copyStorage(options: CopyOptions): Promise<CopyReport> {
  const { source, target, isStopped, onCopied, onCompared, openTargetSnapshot } = options;
  const total = await countRows(source);
  const report: CopyReport = { rowsBefore: 0, sourceChanged: false, copyMs: 0, comparison: null };
  const startedAt = performance.now();
  let mark = await firstMark(options);
  report.rowsBefore = rowsOf(mark);
  for (;;) {
    try {
      mark = await copyTables({ ...options, mark, total });
      break;
    } catch (error) {
      if (!(error instanceof SourceChanged)) throw error;
      report.sourceChanged = true;
      report.rowsBefore = 0;
      mark = await begun(options);
    }
  }
  onCopied(rowsOf(mark), total);
  report.copyMs = performance.now() - startedAt;
  if (isStopped()) return report;
  let compared = 0;
  await using written = await openTargetSnapshot();
  // What the source has was hashed as it was read, in this very run.
  const sourceState = ({ name }: { name: string }) => mark.tables[name] ?? noRows;
  const onRows = (rows: number) => {
    if (isStopped()) throw new Stopped();
    onCompared((compared += rows), total);
  };
  try {
    report.comparison = await compare(written, sourceState, onRows);
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    return report;
  }
  if (isSameInstallation(report.comparison)) await target.finish();
  return report;
}

/** Ends a comparison in its midst. */
class Stopped extends Error {
  override readonly name = "Stopped";
}

/** Compares two databases and changes nothing. */
export async function compareStorage({
  source,
  target,
  onCompared,
}: {
  source: Snapshot;
  target: Snapshot;
  onCompared: CopyOptions["onCompared"];
}): Promise<Comparison> {
  let done = 0;
  const total = 2 * (await countRows(source));
  const onRows = (rows: number) => onCompared((done += rows), total);
  return await compare(target, (table) => stateOf(source, table, onRows), onRows);
}

async function countRows(snapshot: Snapshot): Promise<number> {
  let rows = 0;
  for (const table of copiedTables) rows += await snapshot.count(table);
  return rows;
}

const rowsOf = ({ tables }: CopyMark): number => Object.values(tables).reduce((sum, { rows }) => sum + rows, 0);

async function copyTables({ mark: first, total, ...options }: CopyOptions & { mark: CopyMark; total: number }): Promise<CopyMark> {
  const { onCopied, isStopped } = options;
  let mark = first;
  let done = rowsOf(mark);
  onCopied(done, total);
  for (const table of copiedTables) {
    mark = await copyTable({ ...options, table, mark, onRows: (rows) => onCopied((done += rows), total) });
    if (isStopped()) break;
  }
  return mark;
}

/** The mark to go on from. */
async function firstMark(options: CopyOptions): Promise<CopyMark> {
  const { source, target, to, startOver } = options;
  const state = await target.state();
  if (state.is === "taken")
    throw new TargetTaken(
      `${to} is not empty, and nothing was changed in it. Copy into a new database; whether this one is a whole copy already, --verify tells.`,
    );
  if (state.is === "empty" || startOver) return await begun(options);
  if (state.mark.source === source.installation) return state.mark;
  throw new TargetTaken(
    `${to} is an unfinished copy of another installation, ${state.mark.from}, and nothing was changed in it. Copy into a new database, or remove what is in this one with --start-over.`,
  );
}

async function begun({ source, target, from }: CopyOptions): Promise<CopyMark> {
  const mark: CopyMark = { source: source.installation, from, tables: {} };
  await target.begin(mark);
  return mark;
}
