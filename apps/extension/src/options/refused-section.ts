import { byId, onPress } from "../pages/elements.js";
import type { PageContext } from "../pages/page-context.js";

/** Dead letters that are looked at in one go. */
const most = 500;

/** What the server refused, with its reason. Returns how to show it. */
export function refusedSection({ sync, words }: PageContext) {
  const retry = byId("refused-retry", HTMLButtonElement);
  const discard = byId("refused-discard", HTMLButtonElement);
  const idsOf = async () => (await sync.deadLetters.list(most)).map(({ id }) => id);

  async function show(): Promise<void> {
    const letters = await sync.deadLetters.list(most).catch(() => []);
    const isEmpty = letters.length === 0;
    byId("refused", HTMLElement).textContent = isEmpty
      ? words("refusedNone")
      : words("refusedCount", letters.length, letters.at(-1)?.message ?? "");
    retry.hidden = isEmpty;
    discard.hidden = isEmpty;
  }

  onPress(retry, async () => {
    await sync.deadLetters.retry(await idsOf());
    await show();
  });
  onPress(discard, async () => {
    await sync.deadLetters.discard(await idsOf());
    await show();
  });
  return show;
}
