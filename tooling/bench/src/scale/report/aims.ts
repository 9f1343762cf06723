import { readKinds, type ReadKind } from "../reads/kinds.ts";
import type { EngineResult, ScaleResults, SizeResult } from "../scale-results.ts";
import { engineTitles, milliseconds, readOf, whole, writeRates } from "./figures.ts";

const searchMsMax = 100;
const toAloneMax = 1.5;
/** Flat: no more than this much longer than in the smallest store. */
const flatMax = 1.5;
const ingestMin = 0.8;
const toInsertMin = 0.5;

/** Rows of a table: aim, engine, what was measured, met or missed. */
export function aimRows({ engines }: ScaleResults): string[][] {
  return engines.flatMap((engine) => {
    const smallest = engine.sizes[0];
    const largest = engine.sizes.at(-1);
    return smallest === undefined || largest === undefined ? [] : rowsOf(engine, smallest, largest);
  });
}

interface Measured {
  aim: string;
  isMet: boolean;
  /** What decides, and where. */
  text: string;
}

function rowsOf({ engine }: EngineResult, smallest: SizeResult, largest: SizeResult): string[][] {
  const at = whole(largest.contexts);
  const all: Measured[] = [searchAim(largest, at), aloneAim(largest, at)];
  if (smallest !== largest) {
    all.push(flatAim("current", smallest, largest), flatAim("history", smallest, largest), flatAim("history-deep", smallest, largest));
    const ratio = writeRates(largest).server / writeRates(smallest).server;
    const text = `${ratio.toFixed(2)} of it at ${at}`;
    all.push({ aim: `ingest at least ${ingestMin} of that at ${whole(smallest.contexts)}`, isMet: ratio >= ingestMin, text });
  }
  if (engine === "postgres") {
    const rates = writeRates(largest);
    const ratio = rates.server / rates.rows;
    const text = `${ratio.toFixed(2)} at ${at}; ${(rates.server / rates.indexed).toFixed(2)} of one with a tsvector`;
    all.push({ aim: `batch-sync at least ${toInsertMin} of a raw insert`, isMet: ratio >= toInsertMin, text });
  }
  return all.map(({ aim, isMet, text }) => [aim, engineTitles[engine], text, isMet ? "met" : "missed"]);
}

function searchAim(size: SizeResult, at: string): Measured {
  const worst = worstOf(searches, (kind) => readOf(size, kind, "heavy")?.p99);
  const aim = `search p99 of the heavy user under ${searchMsMax} ms`;
  return { aim, isMet: worst.value < searchMsMax, text: `${milliseconds(worst.value)} ms (${worst.kind}) at ${at}` };
}

function aloneAim(size: SizeResult, at: string): Measured {
  const worst = worstOf(searches, (kind) => {
    const [light, alone] = (["light", "light alone"] as const).map((side) => readOf(size, kind, side));
    return light === undefined || alone === undefined ? undefined : light.p99 / alone.p99;
  });
  const aim = `search p99 of the light user at most ${toAloneMax} times that alone`;
  return { aim, isMet: worst.value <= toAloneMax, text: `${worst.value.toFixed(2)} times (${worst.kind}) at ${at}` };
}

function flatAim(kind: ReadKind, smallest: SizeResult, largest: SizeResult): Measured {
  const [before, after] = [smallest, largest].map((size) => readOf(size, kind, "heavy")?.p50 ?? NaN);
  const text = `${milliseconds(before)} ms at ${whole(smallest.contexts)}, ${milliseconds(after)} ms at ${whole(largest.contexts)} (p50)`;
  return { aim: `${kind} flat`, isMet: (after ?? NaN) <= (before ?? NaN) * flatMax, text };
}

const searches = readKinds.filter((kind) => kind.startsWith("search"));

/** The kind with the largest value. */
function worstOf(kinds: readonly ReadKind[], value: (kind: ReadKind) => number | undefined): { kind: string; value: number } {
  const known = kinds.map((kind) => ({ kind, value: value(kind) ?? NaN })).filter((one) => !Number.isNaN(one.value));
  return known.toSorted((a, b) => b.value - a.value)[0] ?? { kind: "none measured", value: NaN };
}
