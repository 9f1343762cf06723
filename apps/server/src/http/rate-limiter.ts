import type { Clock } from "../deps.js";

/** Where a request stands in its budget. */
export interface RateDecision {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Unix seconds at which the window ends, by the clock that counts it. */
  resetAt: number;
  /** Milliseconds until then. */
  resetInMs: number;
}

/** The headers that tell a client where it stands. */
export function rateHeaders({ limit, remaining, resetAt }: RateDecision): Record<string, number> {
  return { "X-RateLimit-Limit": limit, "X-RateLimit-Remaining": remaining, "X-RateLimit-Reset": resetAt };
}

/** Counts requests against budgets per subject. */
export interface RateLimiter {
  /** Takes one request from the budget of `limit` a window that `subject` has under `budget`. */
  take(subject: string, budget: string, limit: number): RateDecision;
}

/** Length of a window, in milliseconds. */
export const windowMs = 60_000;

/** Fixed windows of 60 s, aligned to the minute, in this process's memory. */
export function createFixedWindowLimiter(clock: Clock): RateLimiter {
  let window = -1;
  let counts = new Map<string, number>();
  return {
    take(subject, budget, limit) {
      const now = clock();
      const current = Math.floor(now / windowMs);
      if (current !== window) {
        // All windows end together, so forgetting them all at once bounds the memory.
        window = current;
        counts = new Map();
      }
      const key = `${budget} ${subject}`;
      const used = (counts.get(key) ?? 0) + 1;
      if (used <= limit) counts.set(key, used);
      const resetAt = (current + 1) * windowMs;
      return { allowed: used <= limit, limit, remaining: Math.max(0, limit - used), resetAt: resetAt / 1000, resetInMs: resetAt - now };
    },
  };
}
