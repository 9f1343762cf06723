import { vi } from "vitest";

// Turns of the event loop after which nothing is on its way that does not wait for a timer: the service is in this process.
const turnsUntilIdle = 40;

/** How a call ended, and how long it took by the clock that it saw. */
export type Ending<T> = { value: T; error?: undefined; ms: number } | { value?: undefined; error: unknown; ms: number };

/** A clock that goes on to the next timer whenever everything waits for one: waits of minutes take no time. */
export class FastClock implements Disposable {
  constructor() {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "performance"], now: Date.parse("2026-01-31T12:00:00Z") });
  }

  /** Starts a call and lets the clock run until it has ended. */
  async play<T>(start: () => PromiseLike<T>): Promise<Ending<T>> {
    const startedAt = Date.now();
    let ending: Ending<T> | undefined;
    void Promise.resolve(start()).then(
      (value) => (ending = { value, ms: Date.now() - startedAt }),
      (error: unknown) => (ending = { error, ms: Date.now() - startedAt }),
    );
    for (;;) {
      for (let turn = 0; turn < turnsUntilIdle && ending === undefined; turn += 1) await new Promise(setImmediate);
      if (ending !== undefined) return ending;
      if (vi.getTimerCount() === 0) throw new Error("The call waits for something that never comes.");
      await vi.advanceTimersToNextTimerAsync();
    }
  }

  [Symbol.dispose](): void {
    vi.useRealTimers();
  }
}
