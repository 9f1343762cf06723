import { foldWord, isAscii } from "./fold.js";
import { type Language, stemmers } from "./languages.js";
import { isSigned, scan, type TokenSink, withoutJoiners } from "./scan.js";

/** Why a word has a further form: an accented stem, words written together, or one character of a script without spaces. */
export type FormKind = "accented" | "joined" | "character";

/** Receives the terms of a text in order. Places are UTF-16 units. */
export interface TermSink {
  /** Once true, nothing more is wanted. */
  isDone?: boolean;
  /** The next term. A phrase is found where its terms follow each other. */
  term(term: string, start: number, end: number): void;
  /** Another form of what stands there, outside the order. */
  form(form: string, kind: FormKind, start: number, end: number): void;
}

/**
 * The terms of a text in a language, for indexing, queries and snippets alike. Words are stemmed. `C++`, `C#` and `.NET` are one term.
 * Of Chinese, Japanese, Korean and Thai every two characters in a row are a term.
 * @param part where to begin and to end. @default the whole text
 */
export function readTerms(text: string, language: Language, sink: TermSink, part = { from: 0, to: text.length }): void {
  const termsOf = wordTermsIn(language);
  // A sign after a word can make it another one, so each word waits for what follows.
  let pending: string | undefined;
  let [pendingStart, pendingEnd] = [0, 0];
  // Whether the character before belongs to the same run: its pair has told of this one.
  let isAfterDense = false;
  const flush = (): void => {
    if (pending !== undefined) sink.term(pending, pendingStart, pendingEnd);
    pending = undefined;
  };
  const wait = (term: string, start: number, end: number): void => {
    pending = term;
    pendingStart = start;
    pendingEnd = end;
  };
  const tokens: TokenSink = {
    get isDone() {
      return sink.isDone === true;
    },
    word(start, end) {
      flush();
      const { term, accented } = termsOf(text.slice(start, end));
      if (term === "") return;
      wait(term, start, end);
      if (accented !== undefined) sink.form(accented, "accented", start, end);
    },
    joined(start, end) {
      const whole = text.slice(start, end);
      const { term } = termsOf(whole);
      if (term === "") return;
      if (isSigned(whole) && pending !== undefined) {
        if (pending !== "") sink.form(pending, "joined", pendingStart, pendingEnd);
        wait(term, start, end);
      } else {
        sink.form(term, "joined", start, end);
      }
    },
    gram(start, end, pairEnd) {
      flush();
      const character = foldWord(text.slice(start, end));
      if (pairEnd > end) sink.term(foldWord(text.slice(start, pairEnd)), start, pairEnd);
      else if (!isAfterDense) sink.term(character, start, end);
      if (pairEnd > end || isAfterDense) sink.form(character, "character", start, end);
      isAfterDense = pairEnd > end;
    },
  };
  scan(text, tokens, part.from, part.to);
  flush();
}

/** The words of `text` in order, folded: parts of identifiers by themselves, a run of a dense script as one. */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  let runStart = -1;
  scan(text, {
    word: (start, end) => void words.push(foldWord(text.slice(start, end))),
    joined(start, end) {
      const whole = text.slice(start, end);
      if (isSigned(whole)) words.splice(-1, 1, foldWord(withoutJoiners(whole)));
    },
    gram(start, end, pairEnd) {
      if (runStart < 0) runStart = start;
      if (pairEnd > end) return;
      words.push(foldWord(text.slice(runStart, end)));
      runStart = -1;
    },
  });
  return words.filter((word) => word !== "");
}

export interface WordTerms {
  /** The stem of the word without accents; "" for a word of signs only. */
  term: string;
  /** The stem by the language's own rules for the word with its accents, which are then removed; undefined where it is the same. */
  accented: string | undefined;
}

/** Longer words are compared by their beginning. UTF-16 units. */
const unitsMax = 64;
/**
 * Words kept of all languages together, about 2 MB, and their length in UTF-16 units. A page has some hundred different ones, most of them
 * common to many pages: with a quarter of this, one word in five was stemmed anew.
 */
const keptMax = 16_000;
const keptUnitsMax = 24;

const known = new Map<Language, Map<string, WordTerms>>();
let keptCount = 0;

/** Looks up the terms of words in a language, however they are written; of what is written together (`wi-fi`), the terms of the whole. */
export function wordTermsIn(language: Language): (word: string) => WordTerms {
  const words = known.get(language) ?? new Map<string, WordTerms>();
  known.set(language, words);
  return (word) => {
    const found = words.get(word);
    if (found) return found;
    const terms = termsOf(withoutJoiners(word), language);
    if (word.length <= keptUnitsMax) {
      if (++keptCount > keptMax) {
        for (const each of known.values()) each.clear();
        keptCount = 1;
      }
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
