import { type Language, languageBit, languages } from "./analysis/languages.js";
import { languageTerm } from "./index-terms.js";
import { pairTestOf } from "./pair-test.js";
import { allOf, anyOf, matchOf, type QueryGroup, type Sequence } from "./query-plan.js";
import type { PairTest, TermMatch } from "./search-engine.js";

/** Contexts that may have all groups where they are wanted, as far as the index can tell. */
export interface PhrasePart {
  all: readonly TermMatch[];
  none: readonly TermMatch[];
  test: PairTest | undefined;
}

/**
 * The contexts that may have all groups, in parts that have none in common. Words in a row are of one language, and languages have forms of
 * their own; to ask a filter for the pairs of all of them lets several times as many contexts pass as those of one. So those contexts
 * are apart that have the words with the forms of their own language, and it is not `main`, nor one in which the words are the same.
 */
export function phrasePartsOf(groups: readonly QueryGroup[], main: Language): PhrasePart[] {
  const whole: PhrasePart = { all: groups.map((group) => matchOf(group)), none: [], test: pairTestOf(groups) };
  const own = formsIn(groups, main);
  const test = own && pairTestOf(own);
  if (!own || sizeOf(test) >= sizeOf(whole.test)) return [whole];
  const all = own.map((group) => matchOf(group));
  const elsewhere = matchesElsewhere(groups, JSON.stringify(all));
  if (elsewhere.length === 0) return [{ all, none: [], test }];
  return [
    { all, none: elsewhere, test },
    { all: [anyOf(elsewhere)], none: [], test: whole.test },
  ];
}

/** What contexts of each language have that may have the groups, but for languages in which that is `known`, as JSON. */
function matchesElsewhere(groups: readonly QueryGroup[], known: string): TermMatch[] {
  const byForms = new Map<string, { all: TermMatch[]; terms: TermMatch[] }>();
  for (const language of languages) {
    const all = formsIn(groups, language)?.map((group) => matchOf(group));
    const key = JSON.stringify(all);
    if (!all || key === known) continue;
    const { terms } = byForms.get(key) ?? { terms: [] };
    byForms.set(key, { all, terms: [...terms, languageTerm(language)] });
  }
  return [...byForms.values()].map(({ all, terms }) => allOf([...all, anyOf(terms)]));
}

/** The groups with the forms alone that words in a row have in a language; undefined when one has none. */
function formsIn(groups: readonly QueryGroup[], language: Language): QueryGroup[] | undefined {
  const bit = languageBit(language);
  const kept = groups.map(({ sequences, ...group }) => ({ ...group, sequences: sequences.flatMap((sequence) => formIn(sequence, bit)) }));
  return kept.some(({ sequences }) => sequences.length === 0) ? undefined : kept;
}

/** A word by itself counts whatever language its context is of. */
function formIn(sequence: Sequence, bit: number): Sequence[] {
  if (sequence.length === 1) return [sequence];
  const slots = sequence.map((slot) => {
    const isKept = (_: unknown, index: number): boolean => ((slot.languageBits[index] ?? 0) & bit) !== 0;
    return {
      ...slot,
      terms: slot.terms.filter(isKept),
      hashes: slot.hashes.filter(isKept),
      languageBits: slot.languageBits.filter(isKept),
    };
  });
  return slots.some(({ terms }) => terms.length === 0) ? [] : [slots];
}

/** Pairs that a filter is asked for; without a test it passes. */
const sizeOf = (test: PairTest | undefined): number => test?.flat().length ?? Infinity;
