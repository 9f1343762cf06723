import { decodeVector, fieldCount } from "./analysis/term-vector.js";
import { anyTerm } from "./index-terms.js";
import { allOf } from "./query-plan.js";
import type { SearchSnapshot, TermMatch } from "./search-engine.js";

/** Contexts counted exactly; of a word that more have, the newest as many tell how many. */
const countMax = 5_000;
/** Newest contexts whose lengths stand for all. */
const sampleSize = 200;

/** What a search needs to know of all that the key may see of the user's contexts. */
export class Collection {
  readonly #snapshot: SearchSnapshot;
  readonly #visible: readonly TermMatch[];

  /** @param visible what every context must match that counts; empty when all do */
  constructor(snapshot: SearchSnapshot, visible: readonly TermMatch[]) {
    this.#snapshot = snapshot;
    this.#visible = visible;
  }

  /** How many contexts mean each match, as far as rarity needs it: exact when few do, from the newest contexts otherwise. */
  async frequencies(matches: readonly TermMatch[]): Promise<{ size: number; frequencies: number[] }> {
    const seen = (match: TermMatch): TermMatch => allOf([...this.#visible, match]);
    const counted = await this.#snapshot.count([anyTerm, ...matches].map(seen), countMax);
    const [known = 0, ...frequencies] = counted;
    if (known < countMax) return { size: known, frequencies };
    const size = await this.#snapshot.size();
    const from = await this.#snapshot.nthNewest(countMax);
    const many = frequencies.flatMap((frequency, index) => (frequency < countMax ? [] : [index]));
    const recent = await this.#snapshot.count(
      many.map((index) => seen(matches[index] ?? anyTerm)),
      countMax,
      { from },
    );
    for (const [at, index] of many.entries()) frequencies[index] = Math.max(countMax, ((recent[at] ?? 0) / countMax) * size);
    return { size, frequencies };
  }

  /** Words of each field on average, among the newest contexts. */
  async averageLengths(): Promise<number[]> {
    const rows = await this.#snapshot.newest(allOf([...this.#visible, anyTerm]), sampleSize);
    const sums = Array<number>(fieldCount).fill(0);
    const sample = await this.#snapshot.candidates(rows);
    for (const { vector } of sample)
      for (const [field, length] of decodeVector(vector, []).lengths.entries()) sums[field] = (sums[field] ?? 0) + length;
    return sums.map((sum) => sum / Math.max(sample.length, 1));
  }
}

/** How much a word tells that so many of the contexts have (Robertson and Spärck Jones, as in BM25). */
export function idfOf(frequency: number, size: number): number {
  const among = Math.max(size, frequency);
  return Math.log(1 + (among - frequency + 0.5) / (frequency + 0.5));
}
