import { connectContextSync, type RemoteContextSync } from "@periscope/sync/background";
import { type ExtensionApi, extensionApi } from "../extension-api.js";
import { createSettingsStore, type SettingsStore } from "../settings/settings-store.js";
import { type Words, type WordsName, createWords } from "../words/words.js";

export interface PageContext {
  api: ExtensionApi;
  store: SettingsStore;
  sync: RemoteContextSync;
  words: Words;
  now: () => number;
}

/** Makes a page's context and fills in its texts. */
export function startPage(): PageContext {
  const api = extensionApi();
  const words = createWords(api.i18n);
  fillWords(document, words);
  return { api, words, store: createSettingsStore(api.storage), sync: connectContextSync(), now: () => Date.now() };
}

/** Puts texts where the page says: `data-words` into the element, `data-words-label` and `data-words-placeholder` into its attributes. */
function fillWords(root: Document, words: Words): void {
  root.documentElement.lang = words("language");
  for (const element of root.querySelectorAll<HTMLElement>("[data-words], [data-words-label], [data-words-placeholder]")) {
    const { words: text, wordsLabel, wordsPlaceholder } = element.dataset;
    if (text !== undefined) element.textContent = words(text as WordsName);
    if (wordsLabel !== undefined) element.setAttribute("aria-label", words(wordsLabel as WordsName));
    if (wordsPlaceholder !== undefined) element.setAttribute("placeholder", words(wordsPlaceholder as WordsName));
  }
}
