import { foldWord, isAscii } from "./fold.js";
import { type Language, stemmers } from "./languages.js";
import { withoutJoiners } from "./scan.js";

/** A word as the index has it. */
export interface WordTerms {
  /** The stem of the word without accents; "" for a word of signs only. */
  term: string;
  /** The stem by the language's own rules for the word with its accents, which are then removed; undefined where it is the same. */
  accented: string | undefined;
}

/** Longer words are compared by their beginning. UTF-16 units. */
const unitsMax = 64;
/** Words kept per language. A page has some hundred different ones, most of them common to many pages. */
const wordsMax = 20_000;

const known = new Map<Language, Map<string, WordTerms>>();

/** Looks up the terms of words in a language, however they are written; of what is written together (`wi-fi`), the terms of the whole. */
export function wordTermsIn(language: Language): (word: string) => WordTerms {
  const words = known.get(language) ?? new Map<string, WordTerms>();
  known.set(language, words);
  return (word) => {
    const found = words.get(word);
    if (found) return found;
    const terms = termsOf(withoutJoiners(word), language);
    // Long words are rarely seen twice, and would keep much memory.
    if (word.length <= unitsMax) {
      if (words.size >= wordsMax) words.clear();
      words.set(copyOf(word), terms);
    }
    return terms;
  };
}

function termsOf(word: string, language: Language): WordTerms {
  const plain = foldWord(word).slice(0, unitsMax);
  const term = stemOf(plain, language);
  const accented = isAscii(word) ? term : foldWord(stemOf(word.normalize("NFC").toLowerCase().slice(0, unitsMax), language));
  return { term, accented: accented === term || accented === "" ? undefined : accented };
}

function stemOf(word: string, language: Language): string {
  return word.length < 3 || /\d/.test(word) ? word : stemmers[language](word) || word;
}

/** From this length on V8 makes slices that keep the whole text in memory. UTF-16 units. */
const sliceUnitsMin = 13;

const copyOf = (slice: string): string => (slice.length < sliceUnitsMin ? slice : slice.split("").join(""));
