/** Thrown when filtering does not come to rest, or takes longer than the caller allows; the caller fails closed. */
export class FilterBoundsError extends Error {
  override readonly name = "FilterBoundsError";
}

/** How long a call may take. */
export interface TimeOptions {
  /**
   * Milliseconds after which the call gives up: {@link FilterBoundsError}, or for a context the outcome `restricted`. Looked at between detectors, each of
   * which takes time in proportion to the text, so a call may take a little longer. Default: no limit.
   */
  maxMs?: number;
}

/** When the time of a call is over. */
export class TimeLimit {
  readonly #end: number;

  /** Throws `RangeError` for a limit that is not a number above 0. */
  constructor({ maxMs = Number.POSITIVE_INFINITY }: TimeOptions) {
    if (!(maxMs > 0)) throw new RangeError("maxMs must be a number above 0; leave it out for no limit");
    this.#end = maxMs === Number.POSITIVE_INFINITY ? maxMs : performance.now() + maxMs;
  }

  /** Throws {@link FilterBoundsError} when the time is over. */
  check(): void {
    if (this.#end !== Number.POSITIVE_INFINITY && performance.now() > this.#end)
      throw new FilterBoundsError("filtering takes longer than maxMs");
  }

  /** The options for a part of the call: what is left of its time. */
  get rest(): TimeOptions {
    if (this.#end === Number.POSITIVE_INFINITY) return {};
    this.check();
    return { maxMs: Math.max(this.#end - performance.now(), Number.MIN_VALUE) };
  }
}
