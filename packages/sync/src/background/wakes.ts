import type { Clock } from "../core/options.js";
import type { SyncQueue } from "../core/queue.js";
import type { ExtensionApis } from "./extension-apis.js";

const halfMinute = 0.5;
/** A worker lives 30 s without an event; a timer of this length is sure to come. */
const timerMsMax = 3_000;

/**
 * When a queue is flushed: by events, timers of at most 3 s, and one alarm. That exists while anything waits, so the browser starts a dead worker again. Nothing
 * here rejects but what is run.
 */
export function createWakes({ queue, apis, name, clock, waitMs }: Parts) {
  const { alarms } = apis;
  let running = 0;
  let timer: { at: number; cancel: () => void } | undefined;
  let last: Promise<void> = Promise.resolve();
  const serialize = (work: () => Promise<unknown>): Promise<void> => {
    const done = last.then(async () => void (await work()));
    return (last = done.catch(() => {}));
  };

  const arm = () => serialize(make);
  /** Sees to the alarm: it is there while anything waits, and only then. */
  const settle = () => serialize(async () => ((await isNeeded()) ? await make() : await alarms.clear(name)));
  return { flush, runWithAlarm, arm, settle };

  /** Flushes now, and sees to what comes after: a timer when that is soon, the alarm while anything waits. */
  async function flush(options?: { deadlineMs?: number }) {
    const report = await queue.flush(options);
    await settle();
    const { nextAt } = report;
    if (nextAt !== null && nextAt - clock.now() <= timerMsMax) soon(Math.max(0, nextAt - clock.now()));
    return report;
  }

  /** Runs what enqueues something, with the alarm in place before that is on the disk, and flushes shortly after. */
  async function runWithAlarm<T>(work: () => Promise<T>): Promise<T> {
    running += 1;
    try {
      await arm();
      return await work();
    } finally {
      running -= 1;
      soon(waitMs);
    }
  }

  /** An existing alarm stays: creating it again would restart its time. */
  async function make(): Promise<void> {
    if ((await alarms.get(name)) === undefined) await alarms.create(name, { delayInMinutes: halfMinute, periodInMinutes: halfMinute });
  }

  async function isNeeded(): Promise<boolean> {
    // A failing disk may work again in half a minute.
    const { waiting } = await queue.status().catch(() => ({ waiting: 1 }));
    return waiting > 0 || running > 0;
  }

  function soon(ms: number): void {
    const at = clock.now() + Math.min(ms, timerMsMax);
    if (timer !== undefined && timer.at <= at) return;
    timer?.cancel();
    const cancel = clock.after(Math.min(ms, timerMsMax), () => {
      timer = undefined;
      void flush();
    });
    timer = { at, cancel };
  }
}

interface Parts {
  queue: SyncQueue;
  apis: ExtensionApis;
  name: string;
  clock: Clock;
  waitMs: number;
}
