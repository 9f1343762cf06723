import { decodeVector, fieldCount } from "./analysis/term-vector.js";
import { anyTerm } from "./index-terms.js";
import { allOf } from "./query-plan.js";
import type { Row, SearchSnapshot, TermMatch } from "./search-engine.js";

/** Contexts counted exactly; of a word that more have, the newest as many tell how many. */
const countMax = 5_000;
/** Newest contexts whose lengths stand for all. */
const sampleSize = 200;

/** How many of the contexts mean each of some matches. */
export interface Frequencies {
  /** All contexts, whatever they have. */
  size: number;
  frequencies: number[];
}

interface Opening {
  /** Contexts, counted up to `countMax`. */
  known: number;
  size: number;
  /** Where the newest `countMax` begin. */
  from: Row | undefined;
  /** The newest. */
  sample: Row[];
}

/** What a search needs to know of all that the key may see of the user's contexts. */
export class Collection {
  readonly #snapshot: SearchSnapshot;
  readonly #visible: readonly TermMatch[];
  #opening: Promise<Opening> | undefined;
  #averages: Promise<number[]> | undefined;

  /** @param visible what every context must match that counts; empty when all do */
  constructor(snapshot: SearchSnapshot, visible: readonly TermMatch[]) {
    this.#snapshot = snapshot;
    this.#visible = visible;
  }

  /** Asks what does not depend on the query, once. */
  async open(): Promise<Opening> {
    return await (this.#opening ??= this.#open());
  }

  async #open(): Promise<Opening> {
    const any = this.#seen(anyTerm);
    const [[known = 0], size, from, sample] = await Promise.all([
      this.#snapshot.count([any], countMax),
      this.#snapshot.size(),
      this.#snapshot.nthNewest(countMax),
      this.#snapshot.newest(any, sampleSize),
    ]);
    return { known, size: known < countMax ? known : size, from, sample };
  }

  #seen(match: TermMatch): TermMatch {
    return allOf([...this.#visible, match]);
  }

  /** How many contexts mean each match, as far as rarity needs it: exact when few do, from the newest contexts otherwise. */
  async frequencies(matches: readonly TermMatch[]): Promise<Frequencies> {
    const seen = matches.map((match) => this.#seen(match));
    const [{ known, size, from }, counted] = await Promise.all([this.open(), this.#snapshot.count(seen, countMax)]);
    const many = counted.flatMap((frequency, index) => (known < countMax || frequency < countMax ? [] : [index]));
    if (many.length === 0) return { size, frequencies: counted };
    const recent = await this.#snapshot.count(
      many.map((index) => seen[index] ?? anyTerm),
      countMax,
      { from },
    );
    const frequencies = [...counted];
    for (const [at, index] of many.entries()) frequencies[index] = Math.max(countMax, ((recent[at] ?? 0) / countMax) * size);
    return { size, frequencies };
  }

  /** Words of each field on average, among the newest contexts. */
  async averageLengths(): Promise<number[]> {
    return await (this.#averages ??= this.#averageLengths());
  }

  async #averageLengths(): Promise<number[]> {
    const { sample: rows } = await this.open();
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
