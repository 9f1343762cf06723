import { defaultLanguage, type Language } from "./analysis/languages.js";
import { readTerms } from "./analysis/term-stream.js";
import { badParameter } from "../domain-error.js";
import { allOf, anyOf, wordTerm } from "./index-terms.js";
import { parseQuery, type SearchExpression, type SearchTerm } from "./parse-query.js";
import type { Match } from "./search-index.js";

/** Terms that are wanted in a row; mostly one. */
export type Phrase = readonly string[];

/** Something a query looks for: any of some phrases. */
export interface QueryGroup {
  /** Every form that the words have in the languages of the user's contexts, and every alternative of an `OR`. */
  phrases: readonly Phrase[];
  /** The word it was made of, folded, where it is a single one outside quotes. */
  word: string | undefined;
  /** Whether it always holds: a quoted phrase, or alternatives joined by `OR`. */
  isRequired: boolean;
  /** The parts of what is written together, for when nothing has the whole. */
  parts: readonly QueryGroup[];
  /** Whether it is of a script without spaces: then the parts may be words of their own. */
  isDense: boolean;
}

/** A query as the index has its words. */
export interface QueryPlan {
  groups: readonly QueryGroup[];
  none: readonly QueryGroup[];
}

/** Groups of a query, and what it excludes; further ones are left out, of the groups first those that are not required. */
const [groupsMax, excludedMax] = [32, 256];

/** Throws `bad_request` where a query has more than {@link planQuery} takes. */
export function requireAllTaken(query: string, name: string): void {
  const { all, none } = parseQuery(query) ?? { all: [], none: [] };
  if (all.length > groupsMax || none.length > excludedMax)
    throw badParameter(name, `must have at most ${groupsMax} words and phrases, and ${excludedMax} that begin with -; use fewer`);
}

/** The groups of a query, in the forms that its words have in these languages. */
export function planQuery({ all, none }: SearchExpression, languages: readonly Language[]): QueryPlan {
  const groups = all.flatMap((alternatives) => groupOf(alternatives, languages) ?? []);
  const excluded = none.flatMap((term) => groupOf([term], languages) ?? []);
  const first = groups.toSorted((one, other) => Number(other.isRequired) - Number(one.isRequired)).slice(0, groupsMax);
  return { groups: groups.filter((group) => first.includes(group)), none: excluded.slice(0, excludedMax) };
}

function groupOf(alternatives: readonly SearchTerm[], languages: readonly Language[]): QueryGroup | undefined {
  const phrases = distinct(alternatives.flatMap((term) => languages.flatMap((language) => phrasesOf(term, language))));
  if (phrases.length === 0) return undefined;
  const [only, ...others] = alternatives;
  const isSingle = only !== undefined && others.length === 0;
  return {
    phrases,
    word: isSingle && !only.isPhrase && only.words.length === 1 ? only.words[0] : undefined,
    isRequired: !isSingle || only.isPhrase,
    parts: isSingle && !only.isPhrase ? partsOf(phrases) : [],
    isDense: isSingle && isDense(only.text),
  };
}

function phrasesOf({ text, isPhrase }: SearchTerm, language: Language): Phrase[] {
  const terms: string[] = [];
  const forms: string[] = [];
  let starts = -1;
  let ends = 0;
  const whole: Array<{ form: string; start: number; end: number }> = [];
  readTerms(text, language, {
    term(term, start, end) {
      terms.push(term);
      starts = starts < 0 ? start : starts;
      ends = end;
    },
    form(form, kind, start, end) {
      if (kind === "accented") forms.push(form);
      else if (kind === "joined") whole.push({ form, start, end });
    },
  });
  if (terms.length === 0) return [];
  const alternatives: Phrase[] = [terms];
  if (terms.length === 1) alternatives.push(...forms.map((form) => [form]));
  // `node.js` may be written `nodejs`, and `regexp` RegExp.
  if (!isPhrase) alternatives.push(...whole.filter(({ start, end }) => start <= starts && end >= ends).map(({ form }) => [form]));
  return alternatives;
}

/** The places of the longest phrase, each as a group of its own. */
function partsOf(phrases: readonly Phrase[]): QueryGroup[] {
  const longest = Math.max(...phrases.map(({ length }) => length));
  if (longest < 2) return [];
  const [lists, wholes] = [phrases.filter(({ length }) => length === longest), phrases.filter(({ length }) => length === 1)];
  return Array.from({ length: longest }, (_, at) => ({
    // A page that writes it as one word counts as having each part.
    phrases: distinct([...lists.map((list) => [list[at] ?? ""]), ...wholes]),
    word: undefined,
    isRequired: false,
    parts: [],
    isDense: false,
  }));
}

function isDense(text: string): boolean {
  let hasCharacters = false;
  readTerms(text, defaultLanguage, { term: () => {}, form: (_form, kind) => void (hasCharacters ||= kind === "character") });
  return hasCharacters;
}

function distinct(phrases: readonly Phrase[]): Phrase[] {
  return [...new Map(phrases.map((phrase) => [phrase.join(" "), phrase])).values()];
}

export function matchOf({ phrases }: QueryGroup): Match {
  return anyOf(phrases.map((phrase) => (phrase.length === 1 ? wordTerm(phrase[0] ?? "") : { phrase: phrase.map(wordTerm) })));
}

export function matchAll(groups: readonly QueryGroup[], none: readonly QueryGroup[]): Match {
  return allOf(groups.map(matchOf), none.map(matchOf));
}
