import type { ExtensionApis } from "./extension-apis.js";

const halfMinute = 0.5;

/** The one alarm: it exists while anything waits, so that whatever ends the worker, it is started again to send. */
export interface Alarm {
  readonly name: string;
  /** Makes sure that it exists. One that exists stays as it is: made anew it would begin to count anew. */
  arm(): Promise<void>;
  /** Takes it away, unless `isNeeded` says otherwise. */
  disarm(isNeeded: () => Promise<boolean>): Promise<void>;
}

/** The alarm of an extension. Its calls run one after the other, and never reject. */
export function alarmOf({ alarms }: ExtensionApis, name: string): Alarm {
  let last: Promise<void> = Promise.resolve();
  const inTurn = (work: () => Promise<void>) => (last = last.then(work).catch(() => {}));

  return {
    name,
    arm: () =>
      inTurn(async () => {
        if ((await alarms.get(name)) !== undefined) return;
        await alarms.create(name, { delayInMinutes: halfMinute, periodInMinutes: halfMinute });
      }),
    disarm: (isNeeded) =>
      inTurn(async () => {
        if (!(await isNeeded())) await alarms.clear(name);
      }),
  };
}
