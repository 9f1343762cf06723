import type { Clock } from "../deps.js";
import { type RateDecision, windowMs } from "./rate-limiter.js";
import type { RateStore } from "../rates/rate.store.js";

/** Counts requests against budgets that several processes share. */
export interface SharedLimiter {
  /** Takes one request from the budget of `limit` a window that `subject` has under `budget`. Rejects when the store does. */
  take(subject: string, budget: string, limit: number): RateDecision | Promise<RateDecision>;
}

interface Budget {
  subject: string;
  budget: string;
  limit: number;
  /** Requests that this process may give out by itself. */
  left: number;
  /** What all processes have taken, as this one knows. */
  taken: number;
  isSpent: boolean;
  leasing: Promise<void> | undefined;
}

/**
 * Fixed windows of 60 s, aligned to the minute, over all processes of a store. Each takes its part of a budget in advance and gives it
 * out by itself, so that most requests cost the store nothing. Together they never allow more than the limit. A client that goes from process
 * to process may find it spent a little early: what another process still has in hand counts as taken.
 */
export function createSharedLimiter(store: RateStore, clock: Clock): SharedLimiter {
  let window = -1;
  let budgets = new Map<string, Budget>();

  const budgetOf = (subject: string, budget: string, limit: number): Budget => {
    const current = Math.floor(clock() / windowMs);
    if (current !== window) {
      // All windows end together, so forgetting them all at once bounds the memory.
      window = current;
      budgets = new Map();
    }
    const key = `${budget} ${subject}`;
    let known = budgets.get(key);
    if (!known) budgets.set(key, (known = { subject, budget, limit, left: 0, taken: 0, isSpent: false, leasing: undefined }));
    return known;
  };

  const lease = async (known: Budget): Promise<void> => {
    const { subject, budget, limit } = known;
    try {
      const { granted, taken } = await store.lease({ subject, budget, limit, window });
      known.left += granted;
      known.taken = taken;
      known.isSpent = granted === 0;
    } finally {
      known.leasing = undefined;
    }
  };

  const take = (subject: string, budget: string, limit: number): RateDecision | Promise<RateDecision> => {
    const known = budgetOf(subject, budget, limit);
    const resetAt = ((window + 1) * windowMs) / 1000;
    if (known.left > 0) {
      known.left--;
      return { allowed: true, limit, remaining: Math.max(0, limit - known.taken + known.left), resetAt };
    }
    if (known.isSpent) return { allowed: false, limit, remaining: 0, resetAt };
    // Requests that arrive meanwhile wait for the same part; when it does not do for all of them, the next is taken.
    known.leasing ??= lease(known);
    return known.leasing.then(() => take(subject, budget, limit));
  };
  return { take };
}
