import { stemmer } from "stemmer";
import { foldWord } from "./words.js";

/** The form in which the index compares a word: folded, then Porter's stem, as FTS5's `porter unicode61` makes it. */
export function stemOf(word: string): string {
  const folded = foldWord(word);
  // As FTS5 does: neither shorter nor longer words are stemmed.
  return folded.length < 3 || folded.length > 64 ? folded : stemmer(folded);
}
