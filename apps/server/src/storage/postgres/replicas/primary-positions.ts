/** About ten minutes, at one a second. */
const samplesMax = 600;

interface Sample {
  position: number;
  /** Time of `performance.now()` by which the primary was there. */
  at: number;
}

/**
 * Where the primary's log was at which time, to tell how long a replica lags: by the clock of this process alone, and not at all while
 * nothing is written. Positions are bytes since the beginning of the log.
 */
export class PrimaryPositions {
  readonly #samples: Sample[] = [];
  #heardAt = -Infinity;

  sample(position: number, at: number): void {
    this.#heardAt = at;
    const last = this.#samples.at(-1)?.position ?? -1;
    // A new primary may have less of a log than the one before.
    if (position < last) this.#samples.length = 0;
    if (position !== last) this.#samples.push({ position, at });
    if (this.#samples.length > samplesMax) this.#samples.shift();
  }

  /**
   * Milliseconds for which something has been on the primary that a replica which has replayed up to `replayed` does not have. While the
   * primary is silent, as of when it was last heard: nothing says that there is more.
   * @param ageMs age of the last transaction that the replica has replayed, as itself says, for a lag that is older than what is remembered here
   */
  lagMs(replayed: number, ageMs: number, { now, isSilent }: { now: number; isSilent: boolean }): number {
    const [first] = this.#samples;
    const missing = this.#samples.find(({ position }) => position > replayed);
    if (missing === undefined) return 0;
    const known = (isSilent ? this.#heardAt : now) - missing.at;
    return missing === first ? Math.max(known, ageMs) : known;
  }
}
