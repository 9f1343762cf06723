import { type Language, languageBit } from "./analysis/languages.js";
import { languageTerm } from "./index-terms.js";
import { pairTestOf } from "./pair-test.js";
import { anyOf, matchOf, type QueryGroup, type Sequence } from "./query-plan.js";
import type { PairTest, TermMatch } from "./search-engine.js";

/** Contexts that may have all groups where they are wanted, as far as the index can tell. */
export interface PhrasePart {
  all: readonly TermMatch[];
  none: readonly TermMatch[];
  test: PairTest | undefined;
}

/**
 * The contexts that may have all groups, in parts that have none in common. Words in a row are of one language, and languages have forms of
 * their own; to ask a filter for the pairs of all of them lets several times as many contexts pass as those of one. So there is one
 * part of the contexts of languages in which the words have other forms than in `main`, and one of all others, which are asked for its pairs alone.
 * @param known languages that the user has contexts in
 * @param main that nearly all of them are of, if there is one: each part may be as large as a search may look at
 */
export function phrasePartsOf(groups: readonly QueryGroup[], known: readonly Language[], main: Language | undefined): PhrasePart[] {
  const whole: PhrasePart = { all: matchesOf(groups), none: [], test: pairTestOf(groups) };
  const own = main && formsIn(groups, main);
  if (!own) return [whole];
  const part: PhrasePart = { all: matchesOf(own), none: [], test: pairTestOf(own) };
  if (passRateOf(part.test) >= passRateOf(whole.test)) return [whole];
  const elsewhere = known.filter((language) => JSON.stringify(formsIn(groups, language)) !== JSON.stringify(own)).map(languageTerm);
  if (elsewhere.length === 0) return [part];
  return [
    { ...part, none: elsewhere },
    { ...whole, all: [...whole.all, anyOf(elsewhere)] },
  ];
}

const matchesOf = (groups: readonly QueryGroup[]): TermMatch[] => groups.map((group) => matchOf(group));

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

/** The part of the contexts without any of its pairs that pass a test, nearly: one in twelve passes a pair. */
const passRateOf = (test: PairTest | undefined): number =>
  (test ?? []).reduce((rate, list) => rate * Math.min(1, new Set(list).size / 12), 1);
