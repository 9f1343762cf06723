import { byId, onPress } from "../pages/elements.js";
import type { PageContext } from "../pages/page-context.js";
import { type PageState, pageState } from "../recording/page-state.js";
import type { Settings } from "../settings/settings.js";
import { stateWords } from "../words/state-words.js";
import type { WordsName } from "../words/words.js";
import type { CurrentPage } from "./current-page.js";

/** What can be done about a page that is not recorded. */
const remedies: Partial<Record<PageState["is"], WordsName>> = {
  "waiting-for-consent": "doConsent",
  "no-server": "doServer",
  "no-access": "doAllow",
};

/** Shows whether this page is recorded, and what can be done about it. Returns how to show it anew. */
export function pageSection(context: PageContext, changed: () => Promise<void>) {
  const { api, words, now } = context;
  const shown = byId("state", HTMLElement);
  const remedy = byId("remedy", HTMLButtonElement);
  const preview = byId("preview", HTMLElement);
  let state: PageState | undefined;
  let page: CurrentPage | undefined;

  onPress(remedy, async () => {
    if (state?.is === "no-access" && page !== undefined) {
      const { protocol, hostname } = new URL(page.url);
      await api.permissions.request({ origins: [`${protocol}//${hostname}/*`] });
      await changed();
      return;
    }
    await api.tabs.create({ url: api.runtime.getURL(state?.is === "waiting-for-consent" ? "consent.html" : "options.html") });
    close();
  });

  return (settings: Settings, current: CurrentPage | undefined): void => {
    page = current;
    state = current === undefined ? undefined : pageState(settings, current, now());
    shown.textContent = state === undefined ? words("stateUnknown") : stateWords(words, state, now());
    shown.className = state?.is === "recorded" ? "good" : "";
    const todo = state === undefined ? undefined : remedies[state.is];
    remedy.hidden = todo === undefined;
    if (todo !== undefined) remedy.textContent = words(todo);
    preview.hidden = state?.is !== "recorded";
  };
}
