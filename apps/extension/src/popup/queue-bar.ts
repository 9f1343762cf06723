import { byId, onPress, say } from "../pages/elements.js";
import type { PageContext } from "../pages/page-context.js";
import { originPattern } from "../sites/sites.js";
import type { View } from "./view.js";

/** Dead letters that are looked at in one go. */
const most = 500;

/** What waits, what is wrong on the way to the server, and what can be done about it. Returns how to show a view. */
export function queueBar({ api, sync, words }: PageContext, changed: () => Promise<void>): (view: View) => void {
  const button = byId("queue-remedy", HTMLButtonElement);
  const discard = byId("refused-discard", HTMLButtonElement);
  let view: View | undefined;
  const refusedIds = async () => (await sync.deadLetters.list(most)).map(({ id }) => id);

  onPress(button, async () => {
    const { trouble, settings, status } = view ?? {};
    // First of all: the browser asks only in the very turn of the press.
    if (trouble?.remedy === "allow" && settings !== undefined) await api.permissions.request({ origins: [originPattern(settings.server)] });
    if (trouble?.remedy === "options") {
      await api.runtime.openOptionsPage();
      return close();
    }
    if ((status?.deadLetters ?? 0) > 0) await sync.deadLetters.retry(await refusedIds());
    // Ends the wait for a server that failed.
    await sync.resume();
    await sync.flush({ deadlineMs: 20_000 });
    await changed();
  });
  onPress(discard, async () => {
    await sync.deadLetters.discard(await refusedIds());
    await changed();
  });

  return (next) => {
    view = next;
    const { status, trouble, settings } = next;
    const { waiting = 0, deadLetters = 0, reason } = status ?? {};
    const host = settings.server === "" ? "" : new URL(settings.server).host;
    const text = waiting > 0 ? words(reason === "sending" ? "queueSending" : "queueWaiting", waiting) : words("queueEmpty", host);
    say(byId("queue"), status === undefined || settings.server === "" ? undefined : text);
    say(byId("trouble"), trouble?.text);
    const isStuck = (waiting > 0 && (reason === "backing-off" || reason === "rate-limited")) || deadLetters > 0;
    const name = trouble?.remedy === "allow" ? "doAllowServer" : trouble?.remedy === "options" ? "popupOptions" : "queueRetry";
    say(button, trouble?.remedy !== undefined || isStuck ? words(name) : undefined);
    discard.hidden = deadLetters === 0;
  };
}
