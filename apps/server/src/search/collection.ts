import type { Language } from "./analysis/languages.js";
import { decodeVector } from "./analysis/read-vector.js";
import { fieldCount } from "./analysis/term-vector.js";
import { anyTerm } from "./index-terms.js";
import type { Sample } from "./known-samples.js";
import { allOf } from "./query-plan.js";
import type { Row, SearchSnapshot, TermMatch } from "./search-engine.js";

/** Contexts counted exactly; when there are more, the newest as many tell how frequent a word is... */
const countMax = 5_000;
/** ...of which so many have it: an estimate within a tenth, where to count them all would cost what a common word costs. */
const recentMin = 250;
/** Newest contexts that stand for all. */
const sampleSize = 200;
/** The part of a sample that stands for nearly all. */
const nearlyAll = 0.9;

/** How many of the contexts mean each of some matches. */
export interface Frequencies {
  /** All contexts, whatever they have. */
  size: number;
  frequencies: number[];
}

interface Opening {
  size: number;
  /** Where the newest `countMax` begin. */
  from: Row | undefined;
}

/** What a search needs to know of all that the key may see of the user's contexts. */
export class Collection {
  readonly #snapshot: SearchSnapshot;
  readonly #visible: readonly TermMatch[];
  #opening: Promise<Opening> | undefined;
  #sample: Promise<Sample> | undefined;

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
    const seesAll = this.#visible.length === 0;
    const [size, [known = size], from] = await Promise.all([
      this.#snapshot.size(),
      seesAll ? [] : this.#snapshot.count([any], countMax),
      this.#snapshot.nthNewest(countMax),
    ]);
    return { size: known < countMax ? known : size, from };
  }

  #seen(match: TermMatch): TermMatch {
    return allOf([...this.#visible, match]);
  }

  /** How many contexts mean each match, counted up to `max`. */
  async count(matches: readonly TermMatch[], max: number): Promise<number[]> {
    return await this.#snapshot.count(
      matches.map((match) => this.#seen(match)),
      max,
    );
  }

  /**
   * How many contexts mean each match, as far as rarity needs it: exact when few do, and when there are few contexts; what many of the
   * newest mean is taken to be as frequent among the others.
   */
  async frequencies(matches: readonly TermMatch[]): Promise<Frequencies> {
    const seen = matches.map((match) => this.#seen(match));
    const { size, from } = await this.open();
    if (size < countMax) return { size, frequencies: await this.#snapshot.count(seen, countMax) };
    const recent = await this.#snapshot.count(seen, countMax, { from });
    const few = seen.flatMap((match, index) => ((recent[index] ?? 0) < recentMin ? [{ match, index }] : []));
    const counted = await this.#snapshot.count(
      few.map(({ match }) => match),
      countMax,
    );
    const frequencies = recent.map((count) => (count / countMax) * size);
    for (const [at, { index }] of few.entries()) frequencies[index] = counted[at] ?? 0;
    return { size, frequencies };
  }

  /** What the newest contexts are like. */
  async sample(): Promise<Sample> {
    const { current, last } = this.#snapshot.samples;
    const key = JSON.stringify(this.#visible);
    const known = current.get(key);
    if (known) return known;
    const sample = await (this.#sample ??= this.#takeSample());
    current.set(key, sample);
    last.set(key, sample);
    return sample;
  }

  /** The language of nearly all of the newest contexts, or of those a while ago: a hint, on which no answer may depend. */
  async language(): Promise<Language | undefined> {
    const { language } = this.#snapshot.samples.last.get(JSON.stringify(this.#visible)) ?? (await this.sample());
    return language;
  }

  async #takeSample(): Promise<Sample> {
    const rows = await this.#snapshot.newest(this.#seen(anyTerm), sampleSize);
    const sums = Array<number>(fieldCount).fill(0);
    const counts = new Map<Language, number>();
    const sample = await this.#snapshot.candidates(rows, []);
    for (const { vector } of sample) {
      const { language, lengths } = decodeVector(vector, []);
      counts.set(language, (counts.get(language) ?? 0) + 1);
      for (const [field, length] of lengths.entries()) sums[field] = (sums[field] ?? 0) + length;
    }
    const [first] = [...counts].toSorted(([, a], [, b]) => b - a);
    const [language, count] = first ?? [undefined, 0];
    return {
      lengths: sums.map((sum) => sum / Math.max(sample.length, 1)),
      language: count >= nearlyAll * sample.length ? language : undefined,
    };
  }
}

/** How much a word tells that so many of the contexts have (Robertson and Spärck Jones, as in BM25). */
export function idfOf(frequency: number, size: number): number {
  const among = Math.max(size, frequency);
  return Math.log(1 + (among - frequency + 0.5) / (frequency + 0.5));
}
