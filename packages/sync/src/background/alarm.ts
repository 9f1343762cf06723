import type { ExtensionApis } from "./extension-apis.js";

const halfMinute = 0.5;

/** The one alarm: it exists while anything waits, so that whatever ends the worker, it is started again to send. */
export interface Alarm {
  readonly name: string;
  /** Makes sure that it exists. One that exists stays as it is: made anew it would begin to count anew. */
  arm(): Promise<void>;
  /** Sees to it that it exists when `isNeeded` says so, since browsers may have cleared it, and takes it away otherwise. */
  settle(isNeeded: () => Promise<boolean>): Promise<void>;
}

/** The alarm of an extension. Its calls run one after the other, and never reject. */
export function alarmOf({ alarms }: ExtensionApis, name: string): Alarm {
  let last: Promise<void> = Promise.resolve();
  const inTurn = (work: () => Promise<void>) => (last = last.then(work).catch(() => {}));

  async function make(): Promise<void> {
    if ((await alarms.get(name)) !== undefined) return;
    await alarms.create(name, { delayInMinutes: halfMinute, periodInMinutes: halfMinute });
  }

  return {
    name,
    arm: () => inTurn(make),
    settle: (isNeeded) =>
      inTurn(async () => {
        if (await isNeeded()) await make();
        else await alarms.clear(name);
      }),
  };
}
