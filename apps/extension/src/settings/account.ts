import type { Settings } from "./settings.js";

/**
 * Whose messages wait once the address of the server is saved. What waits for one server or person is never sent to another: they are another account. But a
 * server that never answered with success was a wrong address, and what waits was never meant for it: it goes to the right one.
 */
export function accountAt(before: Settings, server: string, isOtherPerson: boolean): string {
  const isMoved = before.server !== "" && before.server !== server;
  const isCorrection = before.answeredServer !== before.server;
  const isKept = before.account !== "" && !isOtherPerson && (!isMoved || isCorrection);
  return isKept ? before.account : crypto.randomUUID();
}

/** Notes that the server of the settings answered with success. */
export const answered = (settings: Settings): Settings => ({ ...settings, answeredServer: settings.server });
