/** The event loop is not held for longer than this, in milliseconds. */
const holdMsMax = 5;

/** To be awaited in a loop: lets other requests have their turn when this one has held the event loop for long. */
export function createPause(): () => Promise<void> | undefined {
  let until = performance.now() + holdMsMax;
  return () => {
    if (performance.now() < until) return undefined;
    return new Promise((resolve) => {
      setImmediate(() => {
        until = performance.now() + holdMsMax;
        resolve();
      });
    });
  };
}

/** Runs a long computation, with a pause wherever it yields. */
export async function withPauses<T>(steps: Iterator<void, T>, pause: () => Promise<void> | undefined): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await pause();
  }
}
