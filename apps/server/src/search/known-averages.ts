import type { Row } from "./search-engine.js";

/** Users of whom averages are kept. */
const usersMax = 1_000;

/** Average lengths of a user's contexts, by what a key may see of them. */
export type Averages = Map<string, readonly number[]>;

/** Average lengths that searches have found, kept by an engine: they are numbers of the newest contexts, and good until a newer one arrives. */
export class KnownAverages {
  readonly #users = new Map<string, { newest: Row | undefined; averages: Averages }>();

  /** Those of a user whose newest row is `newest`; a search adds what it finds out. */
  of(userId: string, newest: Row | undefined): Averages {
    const known = this.#users.get(userId);
    if (known && known.newest === newest) return known.averages;
    if (!known && this.#users.size >= usersMax) this.#users.clear();
    const averages: Averages = new Map();
    this.#users.set(userId, { newest, averages });
    return averages;
  }
}
