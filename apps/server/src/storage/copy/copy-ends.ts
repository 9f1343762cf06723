import type { CopiedRow, CopiedTable } from "./copied-tables.js";
import type { TableState } from "./row-chain.js";

/** How far a copy has come; stands in the target, and changes with the rows in one transaction. */
export interface CopyMark {
  /** Names the installation that is copied. */
  source: string;
  /** Where that is, as it may be printed. */
  from: string;
  /** What the target has of each table, by its name; none before the first row. */
  tables: Record<string, TableState>;
}

/** A database at one moment, whatever is written meanwhile. It cannot be written. */
export interface Snapshot extends AsyncDisposable {
  /** Names the installation; the same for as long as its database lives, also when its file is moved. */
  readonly installation: string;
  /** Rows of a table. */
  count(table: CopiedTable): Promise<number>;
  /** All rows of a table by its key, in parts of a few megabytes at most. */
  read(table: CopiedTable): AsyncIterable<CopiedRow[]>;
  /** Contexts that have their place in the search index; another number than there are contexts when anything is wrong with the index. */
  countIndexed(): Promise<number>;
}

/** What a copy finds where it is to go. */
export type TargetState = { is: "empty" } | { is: "begun"; mark: CopyMark } | { is: "taken" };

/** Where a copy goes; nobody else copies there meanwhile. */
export interface CopyTarget extends AsyncDisposable {
  /** Changes nothing. */
  state(): Promise<TargetState>;
  /** Brings the database up to date, removes what an earlier copy has left, and puts the mark. */
  begin(mark: CopyMark): Promise<void>;
  /** Writes rows that follow on those that are there, and the mark with them, whole or not at all; durable when the promise resolves. */
  write(table: CopiedTable, rows: readonly CopiedRow[], mark: CopyMark): Promise<void>;
  /** Takes the mark away: the copy is an installation of its own. */
  finish(): Promise<void>;
}
