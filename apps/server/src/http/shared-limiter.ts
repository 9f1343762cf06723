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

/** What this process knows of the store's window. Times are of its own clock. */
interface Window {
  /** Undefined until the store has said it. */
  number: number | undefined;
  knownAt: number;
  endsAt: number;
}

/**
 * Fixed windows of 60 s, aligned to the minute, over all processes of a store. Each takes its part of a budget in advance and gives it
 * out by itself, so that most requests cost the store nothing. Together they never allow more than the limit. A client that goes from process
 * to process may find it spent a little early: what another process still has in hand counts as taken.
 *
 * Which minute it is, the store says with each part, and how long it lasts yet: clocks of processes may differ. A process only counts how
 * much of that has passed, from when it asked, so that it does not take the window for longer than it is.
 */
export function createSharedLimiter(store: RateStore, clock: Clock): SharedLimiter {
  let window: Window = { number: undefined, knownAt: Infinity, endsAt: -Infinity };
  let budgets = new Map<string, Budget>();
  const keyOf = (subject: string, budget: string) => `${budget} ${subject}`;

  const budgetOf = (subject: string, budget: string, limit: number, now: number): Budget => {
    if (now < window.knownAt || now >= window.endsAt) {
      // All windows end together, so forgetting them all at once bounds the memory.
      window = { number: undefined, knownAt: now, endsAt: Infinity };
      budgets = new Map();
    }
    const key = keyOf(subject, budget);
    let known = budgets.get(key);
    if (!known) budgets.set(key, (known = { subject, budget, limit, left: 0, taken: 0, isSpent: false, leasing: undefined }));
    return known;
  };

  const lease = async (known: Budget): Promise<void> => {
    const { subject, budget, limit } = known;
    try {
      const askedAt = clock();
      const { granted, taken, window: number, endsInMs } = await store.lease({ subject, budget, limit });
      const endsAt = askedAt + endsInMs;
      // Over before it was heard of: it is asked again.
      if (clock() >= endsAt) return;
      if (number !== window.number) {
        if (window.number !== undefined) budgets = new Map([[keyOf(subject, budget), known]]);
        window = { number, knownAt: askedAt, endsAt };
        known.left = 0;
      }
      known.left += granted;
      known.taken = taken;
      known.isSpent = granted === 0;
    } finally {
      known.leasing = undefined;
    }
  };

  const take = (subject: string, budget: string, limit: number): RateDecision | Promise<RateDecision> => {
    const now = clock();
    const known = budgetOf(subject, budget, limit, now);
    const decision = (allowed: boolean, remaining: number): RateDecision => {
      const resetAt = (((window.number ?? 0) + 1) * windowMs) / 1000;
      return { allowed, limit, remaining, resetAt, resetInMs: window.endsAt - now };
    };
    if (known.left > 0) {
      known.left--;
      return decision(true, Math.max(0, limit - known.taken + known.left));
    }
    if (known.isSpent) return decision(false, 0);
    // Requests that arrive meanwhile wait for the same part; when it does not do for all of them, the next is taken.
    known.leasing ??= lease(known);
    return known.leasing.then(() => take(subject, budget, limit));
  };
  return { take };
}
