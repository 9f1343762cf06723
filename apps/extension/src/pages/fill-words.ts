import type { Words, WordsName } from "../words/words.js";

/** Puts texts where the page says: `data-words` into the element, `data-words-label` and `data-words-placeholder` into its attributes. */
export function fillWords(root: Document, words: Words): void {
  root.documentElement.lang = words("language");
  for (const element of root.querySelectorAll<HTMLElement>("[data-words], [data-words-label], [data-words-placeholder]")) {
    const { words: text, wordsLabel, wordsPlaceholder } = element.dataset;
    if (text !== undefined) element.textContent = words(text as WordsName);
    if (wordsLabel !== undefined) element.setAttribute("aria-label", words(wordsLabel as WordsName));
    if (wordsPlaceholder !== undefined) element.setAttribute("placeholder", words(wordsPlaceholder as WordsName));
  }
}
