import { setTimeout as sleep } from "node:timers/promises";

// Bounds guard against a hang, and no more: what is only slow must not fail. Asking a browser more often would take its time.
const betweenMs = 50;

/**
 * Asks again and again until there is an answer that is not `undefined` or `false`.
 * @param what names it in the error
 * @throws Error when there is none within `boundMs`, 100,000 by default
 */
export async function waitUntil<T>(
  what: string,
  probe: () => Promise<T | undefined | false> | T | undefined | false,
  boundMs = 100_000,
): Promise<T> {
  const end = performance.now() + boundMs;
  for (;;) {
    const answer = await probe();
    if (answer !== undefined && answer !== false) return answer;
    if (performance.now() > end) throw new Error(`${what}: not within ${boundMs / 1_000} s.`);
    await sleep(betweenMs);
  }
}

/**
 * What a promise comes to.
 * @throws Error when that is nothing within `boundMs`
 */
export async function within<T>(what: string, promise: Promise<T>, boundMs = 120_000): Promise<T> {
  const controller = new AbortController();
  const late = sleep(boundMs, undefined, { signal: controller.signal }).then(() => {
    throw new Error(`${what}: not within ${boundMs / 1_000} s.`);
  });
  late.catch(() => {});
  try {
    return await Promise.race([promise, late]);
  } finally {
    controller.abort();
  }
}
