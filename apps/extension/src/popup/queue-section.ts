import { byId, onPress } from "../pages/elements.js";
import type { PageContext } from "../pages/page-context.js";
import { troubleOf } from "../words/trouble.js";

/** Shows what waits, and what is wrong in plain words. Returns how to show it anew. */
export function queueSection({ store, sync, words, now }: PageContext) {
  const queue = byId("queue", HTMLElement);
  const shown = byId("trouble", HTMLElement);
  const send = byId("send", HTMLButtonElement);

  async function show(): Promise<void> {
    try {
      const [status, { settings, key }] = await Promise.all([sync.status(), store.readWithKey()]);
      const { waiting, reason } = status;
      queue.textContent = waiting === 0 ? words("queueEmpty") : words(reason === "sending" ? "queueSending" : "queueWaiting", waiting);
      const trouble = settings.server === "" ? undefined : troubleOf(words, status, { hasKey: key !== "", now: now() });
      say(trouble?.text);
      send.hidden = waiting === 0 || reason === "paused";
    } catch {
      queue.textContent = "";
      say(words("troubleBackground"));
    }
  }

  function say(text: string | undefined): void {
    shown.hidden = text === undefined;
    shown.textContent = text ?? "";
  }

  onPress(send, async () => {
    // Ends the waiting for a server that failed; the flush that follows says how it is now.
    await sync.resume();
    await sync.flush({ deadlineMs: 20_000 });
    await show();
  });
  return show;
}
