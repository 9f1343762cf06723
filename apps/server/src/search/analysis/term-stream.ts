import { foldWord } from "./fold.js";
import type { Language } from "./languages.js";
import { isSigned, scan } from "./scan.js";
import { wordTermsIn } from "./word-terms.js";

/** Why a word has a further form: an accented stem, words written together, or one character of a script without spaces. */
export type FormKind = "accented" | "joined" | "character";

/** Receives the terms of a text in order. Places are UTF-16 units. */
export interface TermSink {
  /** Once true, nothing more is wanted. */
  isDone?: boolean;
  /** Whether the word at this place may be wanted; a word that may not is given as the term "". Without it, every word is wanted. */
  isWantedAt?(start: number): boolean;
  /** The next term. A phrase is found where its terms follow each other. */
  term(term: string, start: number, end: number): void;
  /** Another form of what stands there, outside the order. */
  form(form: string, kind: FormKind, start: number, end: number): void;
}

/**
 * The terms of a text in a language, for indexing, queries and snippets alike. Words are stemmed. `C++`, `C#` and `.NET` are one term.
 * Of Chinese, Japanese, Korean and Thai every two characters in a row are a term.
 */
export function readTerms(text: string, language: Language, sink: TermSink): void {
  const termsOf = wordTermsIn(language);
  // A sign after a word can make it another one, so each word waits for what follows.
  let pending: { term: string; start: number; end: number } | undefined;
  // Whether the character before belongs to the same run: its pair has told of this one.
  let isAfterDense = false;
  const flush = (): void => {
    if (pending) sink.term(pending.term, pending.start, pending.end);
    pending = undefined;
  };
  scan(text, {
    get isDone() {
      return sink.isDone === true;
    },
    word(start, end) {
      flush();
      if (sink.isWantedAt?.(start) === false) {
        pending = { term: "", start, end };
        return;
      }
      const { term, accented } = termsOf(text.slice(start, end));
      if (term === "") return;
      pending = { term, start, end };
      if (accented !== undefined) sink.form(accented, "accented", start, end);
    },
    joined(start, end) {
      if (sink.isWantedAt?.(start) === false) return;
      const whole = text.slice(start, end);
      const { term } = termsOf(whole);
      if (term === "") return;
      if (isSigned(whole) && pending) {
        if (pending.term !== "") sink.form(pending.term, "joined", pending.start, pending.end);
        pending = { term, start, end };
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
  });
  flush();
}
