import type { ExtensionApi } from "../extension-api.js";
import { haltOf, ruleAgainst } from "../recording/page-state.js";
import type { SettingsStore } from "../settings/settings-store.js";
import { type Badge, blockedBadge } from "../words/badge.js";
import type { Words } from "../words/words.js";
import { whenever } from "./whenever.js";

/** Shows a badge on all tabs, or on one. */
export async function showBadge(action: ExtensionApi["action"], { text, color, title }: Badge, tabId?: number): Promise<void> {
  const where = tabId === undefined ? {} : { tabId };
  await Promise.all([
    action.setBadgeText({ ...where, text }),
    action.setTitle({ ...where, title }),
    action.setBadgeBackgroundColor({ ...where, color }),
  ]);
}

/**
 * Marks tabs whose site is blocked, and returns how to mark the tabs in front again. Where nothing is recorded at all, the badge of all tabs says why. The browser
 * tells only addresses that the extension has access to. Call it in the first turn of the background.
 */
export function markBlockedTabs(
  { action, tabs }: Pick<ExtensionApi, "action" | "tabs">,
  { store, words, now }: { store: Pick<SettingsStore, "read">; words: Words; now: () => number },
): () => Promise<void> {
  async function mark({ id, url }: chrome.tabs.Tab): Promise<void> {
    const settings = await store.read();
    const against = url !== undefined && haltOf(settings, now()) === undefined ? ruleAgainst(settings, url) : undefined;
    // Null takes the mark of a tab away. The types know only texts.
    const none = null as unknown as string;
    const badge = against?.is === "blocked" ? blockedBadge(words, against.site) : { ...blockedBadge(words, ""), text: none, title: none };
    // A tab that is gone by now needs no mark.
    if (id !== undefined) await showBadge(action, badge, id).catch(() => {});
  }

  const markFront = async () => void (await Promise.all((await tabs.query({ active: true })).map(mark)));
  whenever(tabs.onActivated, markFront);
  whenever(tabs.onUpdated, async (_, { status, url }, tab) => {
    if (status !== undefined || url !== undefined) await mark(tab);
  });
  return markFront;
}
