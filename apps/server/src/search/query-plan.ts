import { foldWord } from "./analysis/fold.js";
import { type Language, languageBit } from "./analysis/languages.js";
import { isSigned, scan, withoutJoiners } from "./analysis/scan.js";
import { hashOf } from "./analysis/term-hash.js";
import { wordTermsIn } from "./analysis/word-terms.js";
import { anyTerm, titleTerm, wordTerm } from "./index-terms.js";
import type { TermMatch } from "./search-engine.js";
import type { SearchTerm } from "./search-expression.js";

/** One of these terms is wanted, `offset` positions after the first slot. */
export interface Slot {
  offset: number;
  terms: readonly string[];
  hashes: readonly number[];
  /** Of each of the terms, the languages whose contexts have the word so, as {@link languageBit} numbers them. */
  languageBits: readonly number[];
  /** Whether it is of a script that puts no spaces between words. */
  isDense: boolean;
  /** Whether it is one character of such a script, which filters of pairs leave out. */
  isSingle: boolean;
}

/** Slots that are wanted each at its place. */
export type Sequence = readonly Slot[];

/** Alternatives of which one is wanted. */
export interface QueryGroup {
  sequences: readonly Sequence[];
  /** The words that it was made of, folded, when it is a single word; else undefined. */
  word: string | undefined;
  isPhrase: boolean;
}

/** The groups of a query whose words may be of any of these languages. */
export function planGroup(alternatives: readonly SearchTerm[], languages: readonly Language[]): QueryGroup | undefined {
  const sequences = alternatives.flatMap((term) => sequencesOf(term, languages));
  if (sequences.length === 0) return undefined;
  const [only, ...others] = alternatives;
  const word = others.length === 0 && only?.words.length === 1 ? only.words[0] : undefined;
  return { sequences, word, isPhrase: alternatives.some(({ isPhrase }) => isPhrase) };
}

/**
 * The groups with what is written together taken apart, for when nothing has them all: every two characters of a dense script, which
 * may be many words; and beside other words the parts of an identifier or a compound. A quoted phrase stays one.
 */
export function relaxed(groups: readonly QueryGroup[]): QueryGroup[] {
  return groups.flatMap((group) => {
    const [longest] = group.sequences.toSorted((a, b) => b.length - a.length);
    const isApart = longest?.every(({ isDense }) => isDense) === true || groups.length > 1;
    if (group.isPhrase || !longest || longest.length === 1 || !isApart) return [group];
    // Who has it as one word has each of its parts: "regexp" is RegExp.
    const whole = group.sequences.filter(({ length }) => length === 1);
    return longest.map((slot) => ({ sequences: [[{ ...slot, offset: 0 }], ...whole], word: undefined, isPhrase: false }));
  });
}

function sequencesOf({ text, isPhrase }: SearchTerm, languages: readonly Language[]): Sequence[] {
  const lookups = languages.map((language) => ({ bit: languageBit(language), termsOf: wordTermsIn(language) }));
  const parts: Slot[] = [];
  let position = 0;
  let words = 0;
  let inRun = false;
  let whole: Slot | undefined;
  const slotOf = (offset: number, word: string): Slot => {
    const terms = new Map<string, number>();
    for (const { bit, termsOf } of lookups) {
      const { term, accented = term } = termsOf(word);
      for (const each of [term, accented]) terms.set(each, (terms.get(each) ?? 0) | bit);
    }
    return slot(offset, terms);
  };
  scan(text, {
    word(start, end) {
      parts.push(slotOf(position++, text.slice(start, end)));
      words++;
    },
    joined(start, end, count) {
      const together = text.slice(start, end);
      if (isSigned(together)) parts.splice(-1, 1, slotOf(position - 1, withoutJoiners(together)));
      else whole = count === words ? slotOf(0, withoutJoiners(together)) : undefined;
    },
    gram(start, end, pairEnd) {
      // The last character of a run stands in the pair before it.
      const isSingle = pairEnd === end;
      if (!isSingle || !inRun)
        parts.push(slot(position, new Map([[foldWord(text.slice(start, pairEnd)), ~0]]), { isDense: true, isSingle }));
      inRun = pairEnd > end;
      position++;
    },
  });
  const kept = parts.filter(({ terms }) => terms.length > 0);
  const isWhole = whole !== undefined && !isPhrase && words === position;
  return [...(isWhole && whole ? [[whole]] : []), ...(kept.length > 0 ? [kept] : [])];
}

/** @param bitsOf terms, each with the bits of the languages that have the word so */
function slot(offset: number, bitsOf: ReadonlyMap<string, number>, { isDense, isSingle } = { isDense: false, isSingle: false }): Slot {
  const kept = [...bitsOf].filter(([term]) => term !== "");
  const terms = kept.map(([term]) => term);
  return { offset, terms, hashes: terms.map((term) => hashOf(term)), languageBits: kept.map(([, bits]) => bits), isDense, isSingle };
}

/** Contexts that may hold the group: of a sequence, those that have all its slots anywhere. */
export function matchOf({ sequences }: QueryGroup, termOf: (term: string) => string = wordTerm): TermMatch {
  return anyOf(sequences.map((sequence) => allOf(sequence.map(({ terms }) => anyOf(terms.map(termOf))))));
}

/** Contexts that may hold the group in their titles. */
export const titleMatchOf = (group: QueryGroup): TermMatch => matchOf(group, titleTerm);

/** Whether a context that {@link matchOf} means may not hold the group, because the places are to be looked at. */
export const needsPlaces = ({ sequences }: QueryGroup): boolean => sequences.some((sequence) => sequence.length > 1);

export function anyOf(matches: readonly TermMatch[]): TermMatch {
  const [only, ...others] = matches;
  return only !== undefined && others.length === 0 ? only : { any: matches };
}

/** @param matches at least one; the term that every context has is left out beside others, since it would cost a look and tell nothing */
export function allOf(matches: readonly TermMatch[], none: readonly TermMatch[] = []): TermMatch {
  const telling = matches.filter((match) => match !== anyTerm);
  const all = telling.length > 0 ? telling : [anyTerm];
  const [only, ...others] = all;
  if (only !== undefined && others.length === 0 && none.length === 0) return only;
  return none.length === 0 ? { all } : { all, none };
}
