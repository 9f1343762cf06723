import type { Language } from "./analysis/languages.js";
import type { Row } from "./search-engine.js";

/** Users of whom samples are kept. */
const usersMax = 1_000;

/** What the newest of a user's contexts are like. */
export interface Sample {
  /** Words of each field on average. */
  lengths: readonly number[];
  /** That nearly all of them are of; undefined when there is none. */
  language: Language | undefined;
}

/** Samples of a user's contexts, by what a key may see of them. */
export interface Samples {
  /** Of the contexts as they are. */
  readonly current: Map<string, Sample>;
  /** Of earlier ones too: what they say of the language is soon enough true again. */
  readonly last: Map<string, Sample>;
}

/** Samples that searches have taken, kept by an engine: they are of the newest contexts, and current until a newer one arrives. */
export class KnownSamples {
  readonly #users = new Map<string, { newest: Row | undefined; samples: Samples }>();

  /** Those of a user whose newest row is `newest`; a search adds what it finds out. */
  of(userId: string, newest: Row | undefined): Samples {
    const known = this.#users.get(userId);
    if (known && known.newest === newest) return known.samples;
    if (!known && this.#users.size >= usersMax) this.#users.clear();
    const samples: Samples = { current: new Map(), last: known?.samples.last ?? new Map<string, Sample>() };
    this.#users.set(userId, { newest, samples });
    return samples;
  }
}
