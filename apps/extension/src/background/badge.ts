import { type ExtensionApi, listen } from "../extension-api.js";
import { haltOf, ruleAgainst } from "../recording/page-state.js";
import type { Settings } from "../settings/settings.js";
import type { SettingsStore } from "../settings/settings-store.js";
import type { Trouble } from "../words/state-words.js";
import { messageName, timeWords, type Words } from "../words/words.js";

/** What the button in the toolbar shows: nothing while all is well. */
interface Badge {
  text: string;
  color: string;
  /** The same in words, for screen readers and the tooltip. */
  title: string;
}

/** What became of something that a person asked to be recorded. */
export type Outcome = "recorded" | "not-found" | "in-frame" | "switched-off" | "kept-out" | "failed";

const green = "#18794e";
const grey = "#5f6570";
const amber = "#8f4e00";
const red = "#c62a2f";

/** The badge of all tabs, or for a moment that of an outcome. */
export function badgeOf(words: Words, settings: Settings, news: Trouble | Outcome | undefined, now: number): Badge {
  const halt = haltOf(settings, now);
  if (halt?.is === "waiting-for-consent") return { text: "?", color: amber, title: words("badgeConsent") };
  if (halt?.is === "off") return { text: "off", color: grey, title: words("badgeOff") };
  if (halt?.is === "paused") return { text: "II", color: grey, title: words("badgePaused", timeWords(halt.until, now)) };
  if (halt?.is === "no-server") return { text: "?", color: amber, title: words("badgeServer") };
  if (typeof news === "string") {
    const isRecorded = news === "recorded";
    return { text: isRecorded ? "✓" : "–", color: isRecorded ? green : amber, title: words(messageName("outcome", news)) };
  }
  if (news?.weight === "auth") return { text: "key", color: red, title: words("badgeAuth") };
  if (news?.weight === "error") return { text: "!", color: red, title: words("badgeError") };
  return { text: "", color: grey, title: words("badgeOk") };
}

/** Shows a badge on all tabs. */
export async function showBadge(action: ExtensionApi["action"], { text, color, title }: Badge): Promise<void> {
  await Promise.all([action.setBadgeText({ text }), action.setTitle({ title }), action.setBadgeBackgroundColor({ color })]);
}

/**
 * Marks tabs whose site is blocked, and returns how to mark the tabs in front again. Where nothing is recorded at all, the badge of all tabs says why. The browser
 * tells only addresses that the extension has access to. Call it in the first turn of the background.
 */
export function markBlockedTabs(
  { action, tabs }: Pick<ExtensionApi, "action" | "tabs">,
  { store, words, now }: { store: Pick<SettingsStore, "read">; words: Words; now: () => number },
): () => Promise<void> {
  async function mark({ id: tabId, url }: chrome.tabs.Tab): Promise<void> {
    if (tabId === undefined) return;
    const settings = await store.read();
    const against = url !== undefined && haltOf(settings, now()) === undefined ? ruleAgainst(settings, url) : undefined;
    const site = against?.is === "blocked" ? against.site : undefined;
    // Only a text can be taken from a tab again, by null, which the types do not know.
    const text = site === undefined ? (null as unknown as string) : "⊘";
    const title = site === undefined ? await action.getTitle({}) : words("badgeBlocked", site);
    // A tab that is gone by now needs no mark.
    await Promise.all([action.setBadgeText({ tabId, text }), action.setTitle({ tabId, title })]).catch(() => {});
  }

  const markFront = async () => void (await Promise.all((await tabs.query({ active: true })).map(mark)));
  listen(tabs.onActivated, markFront);
  listen(tabs.onUpdated, async (_, { status, url }, tab) => {
    if (status !== undefined || url !== undefined) await mark(tab);
  });
  return markFront;
}
