import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { EngineName } from "./options.ts";
import type { IngestTurn, SizeResult } from "./scale-results.ts";

/** How far the run of an engine has come: all that is needed to go on from there. */
export interface Progress {
  engine: EngineName;
  /** Name and version of the database. */
  database: string;
  sizes: readonly number[];
  /** Tells the real text behind the documents from that of another installation. */
  digest: string;
  epoch: number;
  /** Keys by user, of the store and of the light user's own. They open a database of made-up pages on this machine alone. */
  keys: Record<string, string>;
  aloneKeys: Record<string, string>;
  /** Batches that the store certainly has. */
  batches: number;
  /** Whether the light user's own store has all it should. */
  aloneFilled: boolean;
  /** Turns of writes by size. */
  turns: Record<string, IngestTurn[]>;
  results: SizeResult[];
}

/** What a run must have in common with the one that it goes on with. */
export type ProgressStart = Pick<Progress, "engine" | "sizes" | "digest">;

/** The oldest context is from so long ago, and the newest not from the future. Milliseconds. */
const pastMs = 30 * 86_400_000;

/** Reads the progress kept in `file`, or begins. @throws Error when it is that of another run */
export function readProgress(file: string, start: ProgressStart): Progress {
  const fresh = { database: "", keys: {}, aloneKeys: {}, batches: 0, aloneFilled: false, turns: {}, results: [] };
  if (!existsSync(file)) return { ...start, epoch: Date.now() - pastMs, ...fresh };
  const kept = JSON.parse(readFileSync(file, "utf8")) as Progress;
  const isSame = kept.sizes.join() === start.sizes.join() && kept.digest === start.digest && kept.engine === start.engine;
  if (isSame) return kept;
  throw new Error(`${file} is of a run with other sizes or another installation. Give the same --sizes, or another --keep.`);
}

export function writeProgress(file: string, progress: Progress): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, `${JSON.stringify(progress, undefined, 1)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
