import type { Clock } from "../deps.js";

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

/** Where a subject stands in a budget. */
export interface RateDecision {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** End of the minute, Unix seconds, by the store's clock. */
  resetAt: number;
  /** Milliseconds until then. */
  resetInMs: number;
}

/** Holds each subject to its requests a minute, exactly, over all processes that share the store. */
export type RateLimiter = ReturnType<typeof createRateLimiter>;

/** A used-up budget. Times are of this process's clock. */
interface Exhausted {
  resetAt: number;
  knownAt: number;
  endsAt: number;
}

/** Answers from memory for a budget that is used up until its minute ends, so that a flood costs the store nothing. */
export function createRateLimiter(store: RateStore, clock: Clock) {
  const local = createMemoryRates(clock);
  const exhausted = new Map<string, Exhausted>();
  let clearAt = -Infinity;

  const remember = (key: string, entry: Exhausted) => {
    // All windows end together: once the newest has ended, all have.
    if (entry.knownAt >= clearAt) exhausted.clear();
    clearAt = entry.endsAt;
    exhausted.set(key, entry);
  };

  /** The refusal by a budget that is known to be used up; undefined when the store must be asked. */
  function recall(subject: string, budget: string, limit: number): RateDecision | undefined {
    const now = clock();
    const spent = exhausted.get(`${budget} ${subject}`);
    if (!spent || now < spent.knownAt || now >= spent.endsAt) return undefined;
    return { allowed: false, limit, remaining: 0, resetAt: spent.resetAt, resetInMs: spent.endsAt - now };
  }

  return {
    recall,
    /** Counts one request. Rejects when the store does. */
    async take(subject: string, budget: string, limit: number): Promise<RateDecision> {
      const refusal = recall(subject, budget, limit);
      if (refusal) return refusal;
      const now = clock();
      const count = await store.take(subject, budget, limit);
      // From when the store was asked, so that the minute is never taken for longer than it is.
      if (count.used >= limit) remember(`${budget} ${subject}`, { resetAt: count.resetAt, knownAt: now, endsAt: now + count.resetInMs });
      return decisionOf(count, limit);
    },
    /** The same in this process only: for answers that must go out while the store does not respond. */
    takeLocally: async (subject: string, budget: string, limit: number) => decisionOf(await local.take(subject, budget, limit), limit),
    /** Requests so far in each of the budgets; counts nothing. */
    peek: store.peek,
  };
}

/** A budget as clients see it: `batch-sync`. */
export function budgetName(budget: string): string {
  return budget.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function decisionOf({ used, resetAt, resetInMs }: RateCount, limit: number): RateDecision {
  return { allowed: used <= limit, limit, remaining: Math.max(0, limit - used), resetAt, resetInMs };
}

const minuteMs = 60_000;

/** The minute that a moment belongs to, counted from the epoch. */
export const minuteOf = (at: number): number => Math.floor(at / minuteMs);

export function toRateCount(used: number, minute: number, now: number): RateCount {
  const end = (minute + 1) * minuteMs;
  return { used, resetAt: end / 1000, resetInMs: end - now };
}

/** Counts in the memory of this process: enough where one process serves alone. */
export function createMemoryRates(clock: () => number): RateStore {
  let minute = -1;
  let counts = new Map<string, number>();
  const keyOf = (subject: string, budget: string) => `${budget} ${subject}`;

  const startMinute = (now: number) => {
    const current = minuteOf(now);
    if (current === minute) return;
    // All windows end together, so clearing the map bounds the memory.
    minute = current;
    counts = new Map();
  };

  return {
    async take(subject, budget, limit) {
      const now = clock();
      startMinute(now);
      const key = keyOf(subject, budget);
      const used = Math.min((counts.get(key) ?? 0) + 1, limit + 1);
      counts.set(key, used);
      return toRateCount(used, minute, now);
    },
    async peek(subject, budgets) {
      const now = clock();
      startMinute(now);
      return new Map(budgets.map((budget) => [budget, toRateCount(counts.get(keyOf(subject, budget)) ?? 0, minute, now)]));
    },
  };
}
