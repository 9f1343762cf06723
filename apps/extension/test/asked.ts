import type { Chromium } from "../build/chromium.ts";

/** Has the worker note what its button shows from now on: an outcome is there for three seconds, in which nobody may look. */
export async function watchButton(chromium: Chromium): Promise<void> {
  await (
    await chromium.worker()
  ).evaluate(() => {
    const shown: Record<"text" | "title", string[]> = { text: [], title: [] };
    const note = (kind: "text" | "title", next = "") => {
      if (next !== (shown[kind].at(-1) ?? "")) shown[kind].push(next);
    };
    const showText = chrome.action.setBadgeText.bind(chrome.action);
    const showTitle = chrome.action.setTitle.bind(chrome.action);
    Object.assign(chrome.action, {
      async setBadgeText(details: chrome.action.BadgeTextDetails) {
        if (details.tabId === undefined) note("text", details.text);
        await showText(details);
      },
      async setTitle(details: chrome.action.TitleDetails) {
        if (details.tabId === undefined) note("title", details.title);
        await showTitle(details);
      },
    });
    Object.assign(globalThis, { shown });
  });
}

/** Badges or titles since the button was watched, each once for as long as it stood. */
export const shown = async (chromium: Chromium, kind: "text" | "title") =>
  await (
    await chromium.worker()
  ).evaluate((kind) => (globalThis as unknown as { shown: Record<"text" | "title", string[]> }).shown[kind], kind);

type Clicked = Pick<chrome.contextMenus.OnClickData, "menuItemId"> & Partial<chrome.contextMenus.OnClickData>;

/** Presses a key of the extension, or chooses an entry of its menu, in the tab in front: neither can be done without a screen, so that its event is made here. */
export async function choose(chromium: Chromium, entry: "command" | Clicked): Promise<void> {
  await (
    await chromium.worker()
  ).evaluate(async (entry) => {
    const [tab] = await chrome.tabs.query({ active: true, lastFocusedWindow: true });
    const of = (event: unknown) => event as { dispatch(...given: unknown[]): void };
    if (entry === "command") of(chrome.commands.onCommand).dispatch("record-selection", tab);
    else of(chrome.contextMenus.onClicked).dispatch(entry, tab);
  }, entry);
}
