import type { Captured } from "@periscope/sync/content";
import { type ExtensionApi, listen } from "../extension-api.js";
import { scriptFile } from "../recording/page-scripts.js";
import { haltOf, ruleAgainst, switchedOff } from "../recording/page-state.js";
import { togglePause } from "../settings/settings.js";
import type { SettingsStore } from "../settings/settings-store.js";
import { type Messages, send } from "../messages.js";
import type { askedPages } from "../recording/recording-filter.js";
import type { Outcome } from "./badge.js";
import { messageName, type Words } from "../words/words.js";

export interface Requests {
  api: Pick<ExtensionApi, "commands" | "contextMenus" | "runtime" | "scripting" | "tabs">;
  store: Pick<SettingsStore, "read" | "change">;
  words: Words;
  now: () => number;
  asked: ReturnType<typeof askedPages>;
  /** Shows for a moment what became of it. */
  show: (outcome: Outcome) => Promise<void>;
}

type Wanted = "selection" | "element" | "media";

/** Over what each entry of the menu is shown. */
const entries: Readonly<Record<Wanted, NonNullable<chrome.contextMenus.CreateProperties["contexts"]>>> = {
  selection: ["selection"],
  element: ["page", "link"],
  media: ["image", "video", "audio"],
};

/** Registers menu and keyboard, and returns how the popup records a page. To be called in the first turn of a worker. */
export function answerRequests({ api, store, words, now, asked, show }: Requests) {
  listen(api.runtime.onInstalled, async () => {
    await api.contextMenus.removeAll();
    for (const [id, contexts] of Object.entries(entries) as [Wanted, (typeof entries)[Wanted]][]) {
      api.contextMenus.create({ id, title: words(messageName("menu", id)), contexts, documentUrlPatterns: ["http://*/*", "https://*/*"] });
    }
  });
  listen(api.contextMenus.onClicked, async ({ menuItemId, srcUrl, frameId = 0 }, tab) => {
    const wanted = Object.keys(entries).find((id): id is Wanted => id === menuItemId);
    if (wanted !== undefined && tab !== undefined) await ask(tab, wanted, { frameId, ...(srcUrl !== undefined && { srcUrl }) });
  });
  listen(api.commands.onCommand, async (command, tab) => {
    if (command === "toggle-pause") await store.change((settings) => togglePause(settings, now()));
    else if (command === "record-selection" && tab !== undefined) await ask(tab, "selection");
  });

  return { recordNow: async (tabId: number) => await ask(await api.tabs.get(tabId), "page") };

  async function ask(
    { id, incognito, url = "" }: chrome.tabs.Tab,
    type: Wanted | "page",
    { frameId = 0, ...more }: { frameId?: number; srcUrl?: string } = {},
  ): Promise<Outcome> {
    if (id === undefined || incognito) return "kept-out";
    const settings = await store.read();
    // No script is put into a page before consent or while recording is off. The badge says so.
    if (haltOf(settings, now()) !== undefined) return "kept-out";
    const outcome = await outcomeOf();
    void show(outcome);
    return outcome;

    async function outcomeOf(): Promise<Outcome> {
      // Nor into a page that the rules keep out.
      if (ruleAgainst(settings, url) !== undefined) return "kept-out";
      // Frames have no recorder, and that of the page knows only what it has itself.
      if (frameId !== 0) return "in-frame";
      const askIt = () => asked.during({ tabId: String(id), url, type }, () => askPage(api, id as number, type, more));
      return await askIt().then(outcomeOfAnswer, () => "failed");
    }
  }
}

function outcomeOfAnswer(answer: Captured): Outcome {
  if (answer.status === "queued" || answer.status === "merged") return "recorded";
  if (answer.status === "empty") return "not-found";
  if (answer.status === "blocked") return answer.rule.startsWith(switchedOff) ? "switched-off" : "kept-out";
  return "failed";
}

/** Asks the recorder in a page; a page that was open before has none yet, and is given one, as far as the browser lets the extension into it. */
export async function askPage<Name extends Wanted | "page" | "preview">(
  api: Pick<ExtensionApi, "scripting" | "tabs">,
  tabId: number,
  name: Name,
  ask: Messages[Name]["ask"],
): Promise<Messages[Name]["answer"]> {
  const recorder = { sendMessage: (message: unknown) => api.tabs.sendMessage(tabId, message, { frameId: 0 }) };
  return await send(recorder, name, ask).catch(async () => {
    await api.scripting.executeScript({ target: { tabId }, files: [scriptFile] });
    return await send(recorder, name, ask);
  });
}
