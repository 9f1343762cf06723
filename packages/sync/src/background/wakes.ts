import type { Clock } from "../core/options.js";
import type { FlushReport } from "../core/outcomes.js";
import type { SyncQueue } from "../core/queue.js";
import type { Alarm } from "./alarm.js";

/** When the queue is flushed. */
export interface Wakes {
  /** Flushes now, and sees to what comes after: a timer when that is soon, the alarm while anything waits. Never rejects. */
  flush(options?: { deadlineMs?: number }): Promise<FlushReport>;
  /** Takes something in, with the alarm in place before it is on the disk, and flushes shortly after. */
  taking<T>(take: () => Promise<T>): Promise<T>;
  /** Sees to the alarm: it is there while anything waits, and only then. */
  settle(): Promise<void>;
}

/** A worker lives 30 s without an event; a timer of this length is sure to come. */
const timerMsMax = 3_000;

/** Flushes by events, timers of at most 3 s and the alarm. */
export function wakesOf({ queue, alarm, clock, waitMs }: { queue: SyncQueue; alarm: Alarm; clock: Clock; waitMs: number }): Wakes {
  let taking = 0;
  let timer: { at: number; cancel: () => void } | undefined;

  const wakes: Wakes = {
    async flush(options) {
      const report = await queue.flush(options);
      await wakes.settle();
      const { nextAt } = report;
      if (nextAt !== null && nextAt - clock.now() <= timerMsMax) soon(Math.max(0, nextAt - clock.now()));
      return report;
    },
    async taking(take) {
      taking += 1;
      try {
        await alarm.arm();
        return await take();
      } finally {
        taking -= 1;
        soon(waitMs);
      }
    },
    settle: () =>
      alarm.settle(async () => {
        const waits = await queue.status().then(
          ({ waiting }) => waiting > 0,
          // The disk may be back in half a minute.
          () => true,
        );
        return waits || taking > 0;
      }),
  };
  return wakes;

  function soon(ms: number): void {
    const at = clock.now() + Math.min(ms, timerMsMax);
    if (timer !== undefined && timer.at <= at) return;
    timer?.cancel();
    const cancel = clock.after(Math.min(ms, timerMsMax), () => {
      timer = undefined;
      void wakes.flush();
    });
    timer = { at, cancel };
  }
}
