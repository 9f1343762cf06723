import { median } from "../measure/stats.ts";

/** The sides of a comparison: the filter, a copy of the text that does nothing else, and one `replace` after another. */
export const sideNames = ["filter", "copy", "textbook"] as const;
export type SideName = (typeof sideNames)[number];

/** MB (10^6 bytes of UTF-8) a second, by the clock and by the processor time of the whole process, collection of garbage included. */
export interface Speed {
  wall: number;
  processor: number;
}

/** Medians over the rounds. A ratio is the median of the rounds' ratios, by processor time. */
export interface Comparison {
  speeds: Record<SideName, Speed>;
  toCopy: number;
  toTextbook: number;
  rounds: Array<Record<SideName, Speed>>;
}

/** What is measured: each side takes the same document and returns the new text. */
export interface Turns {
  sides: Readonly<Record<SideName, () => string>>;
  bytes: number;
  rounds: number;
  seconds: number;
  signal: AbortSignal;
}

/**
 * Measures the sides by turns, so that what disturbs the machine meets all of them; the side that begins changes each round. A round
 * comes first that does not count, for the compiler to warm up.
 * @throws the signal's reason when the run is stopped
 */
export async function compareByTurns({ sides, bytes, rounds, seconds, signal }: Turns): Promise<Comparison> {
  const measured: Array<Record<SideName, Speed>> = [];
  for (let round = -1; round < rounds; round += 1) {
    const order = sideNames.map((_, index) => sideNames[(index + Math.max(0, round)) % sideNames.length] ?? "filter");
    const speeds: Partial<Record<SideName, Speed>> = {};
    for (const name of order) {
      // Signals arrive between measurements only.
      await new Promise(setImmediate);
      signal.throwIfAborted();
      speeds[name] = speedOf(sides[name], bytes, seconds);
    }
    if (round >= 0) measured.push(speeds as Record<SideName, Speed>);
  }
  const of = (take: (round: Record<SideName, Speed>) => number) => median(measured.map(take));
  const speed = (name: SideName): Speed => ({ wall: of((round) => round[name].wall), processor: of((round) => round[name].processor) });
  return {
    speeds: { filter: speed("filter"), copy: speed("copy"), textbook: speed("textbook") },
    toCopy: of(({ filter, copy }) => filter.processor / copy.processor),
    toTextbook: of(({ filter, textbook }) => filter.processor / textbook.processor),
    rounds: measured,
  };
}

function speedOf(run: () => string, bytes: number, seconds: number): Speed {
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  let runs = 0;
  let units = 0;
  let elapsed = 0;
  do {
    units += run().length;
    runs += 1;
    elapsed = performance.now() - startedAt;
  } while (elapsed < seconds * 1_000);
  const cpu = process.cpuUsage(cpuBefore);
  // The results are used, so no run can be left out as useless.
  if (units === 0) throw new Error("A side of the comparison returned nothing.");
  const megabytes = (bytes * runs) / 1e6;
  return { wall: megabytes / (elapsed / 1e3), processor: megabytes / ((cpu.user + cpu.system) / 1e6) };
}
