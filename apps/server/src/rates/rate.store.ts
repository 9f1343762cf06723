/** Requests of one subject in one budget in the current minute. */
export interface RateCount {
  /** Requests so far, this one included; for `peek` without it. */
  used: number;
  /** End of the minute, Unix seconds. */
  resetAt: number;
  /** Milliseconds until then, by the store's clock. */
  resetInMs: number;
}

/** Counts requests by the minute. Windows are aligned to the minute. */
export interface RateStore {
  /** Counts one request, exactly once, over all processes that share the store. `used` may pass the limit; it stops counting at limit + 1. */
  take(subject: string, budget: string, limit: number): Promise<RateCount>;
  /** The same without counting. */
  peek(subject: string, budgets: readonly string[]): Promise<Map<string, RateCount>>;
}
