/** Time that a capture may take of the page's own. */
export interface Budget {
  /** Whether all of it is used up. */
  isOver(): boolean;
  /** Milliseconds that are left. */
  leftMs(): number;
  /** Milliseconds that were used, pauses left out. */
  usedMs(): number;
  /** Lets the page go on when a slice has passed. Resolves to whether it did. */
  breathe(): Promise<boolean>;
}

/** What a budget is measured and paused by. */
export interface Pacing {
  /** Milliseconds since some time that stays the same. */
  now: () => number;
  /** Resolves after the page had its turn. */
  pause: () => Promise<void>;
}

/** Milliseconds for which the page is kept waiting at once: half of a frame at 60 a second. */
const sliceMs = 8;

/** Starts to count. Between its slices the page runs, which does not count. */
export function startBudget(budgetMs: number, { now, pause }: Pacing): Budget {
  let before = 0;
  let sliceAt = now();
  const usedMs = () => before + (now() - sliceAt);
  return {
    isOver: () => usedMs() >= budgetMs,
    leftMs: () => Math.max(0, budgetMs - usedMs()),
    usedMs,
    async breathe() {
      if (now() - sliceAt < sliceMs) return false;
      before = usedMs();
      await pause();
      sliceAt = now();
      return true;
    },
  };
}

/**
 * How many elements something gets through in a millisecond. Begins with a guess, and is corrected downwards by what was measured, as for work that
 * cannot be stopped it must be known before how long it will take.
 */
export interface Pace {
  /** Whether `elements` can be done in `ms`. */
  fits(elements: number, ms: number): boolean;
  /** Takes in what was measured. */
  note(elements: number, ms: number): void;
}

export function paceOf(elementsPerMs: number): Pace {
  let pace = elementsPerMs;
  return {
    fits: (elements, ms) => elements <= ms * pace,
    note(elements, ms) {
      // A few elements say nothing, and a slow page may be faster another time.
      if (elements < 200 || ms < 1) return;
      const measured = elements / ms;
      pace = Math.min(elementsPerMs, measured < pace ? measured : (pace + measured) / 2);
    },
  };
}

/** Gives the page its turn; timers would be held back to one a second in a tab in the background. */
export function pauseForPage(): Promise<void> {
  const { scheduler } = globalThis as { scheduler?: { yield?: () => Promise<void> } };
  if (scheduler?.yield !== undefined) return scheduler.yield();
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener("message", () => {
      port1.close();
      resolve();
    });
    port1.start();
    port2.postMessage(undefined);
  });
}
