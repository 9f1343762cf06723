import type { RateCount, RateStore } from "./rate.store.js";

const minuteMs = 60_000;

/** Counts in the memory of this process: enough where one process serves alone. */
export function createMemoryRates(clock: () => number): RateStore {
  let minute = -1;
  let counts = new Map<string, number>();
  const keyOf = (subject: string, budget: string) => `${budget} ${subject}`;

  const startMinute = (now: number) => {
    const current = Math.floor(now / minuteMs);
    if (current === minute) return;
    // All windows end together, so clearing the map bounds the memory.
    minute = current;
    counts = new Map();
  };

  const countOf = (used: number, now: number): RateCount => {
    const end = (minute + 1) * minuteMs;
    return { used, resetAt: end / 1000, resetInMs: end - now };
  };

  return {
    async take(subject, budget, limit) {
      const now = clock();
      startMinute(now);
      const key = keyOf(subject, budget);
      const used = Math.min((counts.get(key) ?? 0) + 1, limit + 1);
      counts.set(key, used);
      return countOf(used, now);
    },
    async peek(subject, budgets) {
      const now = clock();
      startMinute(now);
      return new Map(budgets.map((budget) => [budget, countOf(counts.get(keyOf(subject, budget)) ?? 0, now)]));
    },
  };
}
