import { connectContextSync, type RemoteContextSync } from "@periscope/sync/background";
import { type ExtensionApi, extensionApi } from "../extension-api.js";
import { createSettingsStore, type SettingsStore } from "../settings/settings-store.js";
import { type Words, wordsOf } from "../words/words.js";
import { fillWords } from "./fill-words.js";

/** What a page of the extension works with. */
export interface PageContext {
  api: ExtensionApi;
  store: SettingsStore;
  sync: RemoteContextSync;
  words: Words;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** Makes a page's context and fills in its texts. */
export function startPage(): PageContext {
  const api = extensionApi();
  const words = wordsOf(api.i18n);
  fillWords(document, words);
  return { api, words, store: createSettingsStore(api.storage, navigator.locks), sync: connectContextSync(), now: () => Date.now() };
}
