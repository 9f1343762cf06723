/** Requests of one subject in one budget in the current minute. */
export interface RateCount {
  /** Requests so far, with this one; for `peek` without it. */
  used: number;
  /** End of the minute, in whole Unix seconds. */
  resetAt: number;
  /** Milliseconds until then, by the store's clock. */
  resetInMs: number;
}

/** Counts requests per minute, exactly once over all processes that share the store. Minutes are those of the store's clock. */
export interface RateStore {
  /** Counts one request. `used` may pass `limit`: counting stops at one past it. */
  take(subject: string, budget: string, limit: number): Promise<RateCount>;
  /** The counts of some budgets, without counting. */
  peek(subject: string, budgets: readonly string[]): Promise<Map<string, RateCount>>;
}
