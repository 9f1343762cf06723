import type { BenchDocument } from "./documents.ts";

/** Kinds of search words by the share of documents that hold them. */
export const frequencies = { rare: [0.0005, 0.003], medium: [0.02, 0.05], common: [0.15, 0.5] } as const;
export type Frequency = keyof typeof frequencies;

/** Words that engines leave out, or might. */
const dull = new Set(
  "about after also been before both could does each every from have into just like make more most must need only other over same should some such than that their them then there these they this those through used uses using very want were what when where which while will with would your".split(
    " ",
  ),
);

/** At most `count` words of each kind, taken evenly from all of that kind in alphabetical order. */
export function queryWords(documents: readonly BenchDocument[], count: number): Record<Frequency, string[]> {
  const holders = new Map<string, number>();
  for (const { content } of documents) {
    for (const word of new Set(content.toLowerCase().match(/(?<![\p{L}\p{N}_])[a-z]{4,12}(?![\p{L}\p{N}_])/gu))) {
      holders.set(word, (holders.get(word) ?? 0) + 1);
    }
  }
  const pick = (kind: Frequency) => {
    const [least, most] = frequencies[kind];
    const words = [...holders].filter(
      ([word, held]) => !dull.has(word) && held >= least * documents.length && held <= most * documents.length,
    );
    const sorted = words.map(([word]) => word).sort();
    const step = Math.max(1, sorted.length / count);
    return Array.from({ length: Math.min(count, sorted.length) }, (_, index) => sorted[Math.floor(index * step)] ?? "");
  };
  return { rare: pick("rare"), medium: pick("medium"), common: pick("common") };
}
