import type { Clock } from "../../src/core/options.js";

/** A clock that stands still until it is moved. */
export interface ManualClock extends Clock {
  /** Moves on by `ms` milliseconds and calls back all that is due, in order of its time. */
  advance(ms: number): void;
  /** Sets the time, as a user or a time server does: timers are not touched by it. */
  set(now: number): void;
}

/** A clock for tests; begins on 2026-01-31 at noon, UTC. */
export function manualClock(start: number = Date.UTC(2026, 0, 31, 12)): ManualClock {
  let now = start;
  // Timers run by a time of their own, as the system's do.
  let elapsed = 0;
  const timers = new Set<{ at: number; call: () => void }>();
  return {
    now: () => now,
    after(ms, call) {
      const timer = { at: elapsed + ms, call };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance(ms) {
      now += ms;
      elapsed += ms;
      const due = [...timers].filter(({ at }) => at <= elapsed).sort((one, other) => one.at - other.at);
      for (const timer of due) if (timers.delete(timer)) timer.call();
    },
    set(time) {
      now = time;
    },
  };
}
