import { foldWord, isAscii } from "./fold.js";
import { type Language, stemmers } from "./languages.js";
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
/** Words of a language kept with their terms, and the places where one of them may be. */
const keptMax = 1 << 15;
const places = 4;

/** Terms of the word of `text` from `start` to `end`, however it is written; of all of `text` without these. */
export type WordLookup = (text: string, start?: number, end?: number) => WordTerms;

const lookups = new Map<Language, WordLookup>();

/** Looks up words of texts in `language`. */
export function wordTermsIn(language: Language): WordLookup {
  let lookup = lookups.get(language);
  if (!lookup) lookups.set(language, (lookup = createLookup(language)));
  return lookup;
}

/** Finds a word that it has seen without making a string of it: a page has a thousand, and most of them again and again. */
function createLookup(language: Language): WordLookup {
  const words: Array<string | undefined> = Array<undefined>(keptMax + places).fill(undefined);
  const terms: Array<WordTerms | undefined> = Array<undefined>(keptMax + places).fill(undefined);
  return (text, start = 0, end = text.length) => {
    let hash = 0x811c9dc5;
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    const first = (hash ^ (hash >>> 15)) & (keptMax - 1);
    let place = first;
    for (; place < first + places; place++) {
      const word = words[place];
      if (word === undefined) break;
      const found = word.length === end - start && isAt(word, text, start) ? terms[place] : undefined;
      if (found) return found;
    }
    if (place === first + places) place = first + ((hash >>> 28) & (places - 1));
    // A copy: a slice would keep the whole text.
    const word = text.slice(start, end).split("").join("");
    words[place] = word;
    return (terms[place] = termsOf(word, language));
  };
}

function isAt(word: string, text: string, start: number): boolean {
  for (let at = 0; at < word.length; at++) if (word.charCodeAt(at) !== text.charCodeAt(start + at)) return false;
  return true;
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
