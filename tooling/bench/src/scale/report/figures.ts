import type { EngineName } from "../options.ts";
import type { ReadKind, ReadSide } from "../reads/kinds.ts";
import type { IngestTurn, ReadResult, SizeResult } from "../scale-results.ts";

/** How documents name the engines. */
export const engineTitles: Readonly<Record<EngineName, string>> = { sqlite: "SQLite", postgres: "PostgreSQL" };

/** Contexts a second of one part of all turns of writes together. */
function rateOf(turns: readonly IngestTurn[], seconds: (turn: IngestTurn) => number): number {
  const sum = (of: (turn: IngestTurn) => number) => turns.reduce((total, turn) => total + of(turn), 0);
  return sum(({ contexts }) => contexts) / sum(seconds);
}

/** Milliseconds of processor time that a context takes in server and database; undefined where it is not known. */
export function processorPerContext({ ingest }: SizeResult): number | undefined {
  if (ingest.some(({ serverProcessor }) => serverProcessor === undefined)) return undefined;
  return 1_000 / rateOf(ingest, ({ serverProcessor }) => serverProcessor ?? 0);
}

/** Contexts a second that the service takes, raw SQL inserts, and raw SQL inserts and puts into its full-text index. */
export function writeRates({ ingest }: SizeResult): Record<"server" | "rows" | "indexed", number> {
  return {
    server: rateOf(ingest, ({ server }) => server),
    rows: rateOf(ingest, ({ floorRows }) => floorRows),
    indexed: rateOf(ingest, ({ floorRows, floorIndex }) => floorRows + floorIndex),
  };
}

export function readOf({ reads }: Pick<SizeResult, "reads">, kind: ReadKind, side: ReadSide): ReadResult | undefined {
  return reads.find((read) => read.kind === kind && read.side === side);
}

export function whole(value: number | undefined): string {
  return value === undefined || Number.isNaN(value) ? "–" : Math.round(value).toLocaleString("en-US");
}

/** Milliseconds with two digits that say something. */
export function milliseconds(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return "–";
  return value < 10 ? value.toFixed(1) : whole(value);
}
