import { performance } from "node:perf_hooks";
/** The event loop is not held for longer than this, in milliseconds. */
const holdMsMax = 5;

/** What waits to go on, first come first served. It belongs to the event loop, of which a thread has one. */
const waiting: Array<() => void> = [];

/**
 * Resolves in a later turn of the event loop, in which nothing else that awaits this goes on: however much long work there is, small
 * requests are served between any two pieces of it.
 */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(letOneGoOn);
  });
}

function letOneGoOn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(letOneGoOn);
}

/**
 * To be awaited in a loop: lets other requests have their turn when this one has held the event loop for long. Where it has waited for
 * something else meanwhile, others had theirs already.
 * @param turn when to go on
 */
export function createPause(turn: () => Promise<void> = yieldToEventLoop): () => Promise<void> | undefined {
  const turnsOfLoop = () => performance.nodeTiming.uvMetricsInfo.loopCount;
  let [since, turns] = [0, 0];
  const restart = () => void ([since, turns] = [performance.now(), turnsOfLoop()]);
  restart();
  return () => {
    if (performance.now() - since < holdMsMax) return undefined;
    return turns === turnsOfLoop() ? turn().then(restart) : restart();
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
