import { visibilityOf } from "./dom-access.js";
import type { CaptureHost } from "./options.js";

export type Slices = Awaited<ReturnType<typeof startSlices>>;

/**
 * Milliseconds that reading a page may take, without the pauses. Browsers tell time but not processor time: a page of 1 MiB takes some 1,300 ms of it, and up to
 * twice as long beside two busy programs.
 */
const workMsMax = 5_000;
/** Half a frame where the page offered no time, and at most one and a half where it did. */
const shortMs = 8;
const longMs = 24;
/** Milliseconds after which a page that is never idle is read all the same. */
const patienceMs = 200;

/** Works in slices and lets the page run between them. Begins with a pause, until the page is idle, unless `isImmediate`. */
export async function startSlices({ now, pause }: Pick<CaptureHost, "now" | "pause">, isImmediate = false) {
  let before = 0;
  let sliceMs = isImmediate ? shortMs : await pause();
  let sliceAt = now();
  const usedMs = () => before + (now() - sliceAt);
  return {
    /** Whether all the time there is was used. */
    isOver: () => usedMs() >= workMsMax,
    /** Milliseconds that were used, without the pauses. */
    usedMs,
    /** Waits for the next slice when this one is over. */
    async yieldToEventLoop() {
      if (now() - sliceAt < sliceMs) return;
      before = usedMs();
      sliceMs = await pause();
      sliceAt = now();
    },
  };
}

/** Waits until the page is idle. A hidden page is not waited for: it may be frozen soon, and is rarely idle. */
export function pauseForPage(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  if (visibilityOf(document) === "visible") {
    requestIdleCallback(
      (deadline) => resolve(deadline.didTimeout ? shortMs : Math.min(longMs, Math.max(shortMs, deadline.timeRemaining()))),
      { timeout: patienceMs },
    );
    return promise;
  }
  const { port1, port2 } = new MessageChannel();
  port1.addEventListener("message", () => {
    port1.close();
    resolve(shortMs);
  });
  port1.start();
  port2.postMessage(undefined);
  return promise;
}
