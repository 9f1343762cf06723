import { foldWord, isAscii } from "./fold.js";
import { KnownWords } from "./known-words.js";
import { type Language, stemmers } from "./languages.js";
import { withoutJoiners } from "./scan.js";
import { hashOf } from "./term-hash.js";

/** A word of a text as the index has it. */
export interface WordTerms {
  /** The stem of the word without accents: what most words have alone. */
  term: string;
  hash: number;
  /** The stem that the language's own rules give the word with its accents, the accents then taken away; when it differs. */
  accented: string | undefined;
  accentedHash: number;
}

/** Longer words are compared by their beginning. UTF-16 units. */
const unitsMax = 64;

/** Terms of the word of `text` from `start` to `end`, however it is written; of all of `text` without these. */
export type WordLookup = (text: string, start?: number, end?: number) => WordTerms;

const known = new Map<Language, KnownWords<WordTerms>>();

/** Words of texts in `language` with their terms; of what is written together, the terms of the whole. */
export function knownWordsIn(language: Language): KnownWords<WordTerms> {
  let words = known.get(language);
  if (!words) known.set(language, (words = new KnownWords((word) => termsOf(withoutJoiners(word), language))));
  return words;
}

/** Looks up words of texts in `language`. */
export function wordTermsIn(language: Language): WordLookup {
  const words = knownWordsIn(language);
  return (text, start = 0, end = text.length) => words.valueOf(words.find(text, start, end));
}

function termsOf(word: string, language: Language): WordTerms {
  const plain = foldWord(word).slice(0, unitsMax);
  const term = stemOf(plain, language);
  const accented = isAscii(word) ? term : foldWord(stemOf(word.normalize("NFC").toLowerCase().slice(0, unitsMax), language));
  const differs = accented !== term && accented !== "";
  return { term, hash: hashOf(term), accented: differs ? accented : undefined, accentedHash: differs ? hashOf(accented) : 0 };
}

function stemOf(word: string, language: Language): string {
  return word.length < 3 || /\d/.test(word) ? word : stemmers[language](word) || word;
}
