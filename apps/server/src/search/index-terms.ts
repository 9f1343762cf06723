import type { IndexTerm, Match } from "./search-index.js";
import { dayMs } from "../formats.js";

// A term of the search index is a sign for its kind, then what it says. Words and filters have no spaces or capitals, so that any engine
// can keep them as they stand; URL trigrams can hold any character but spaces. Engines add whose context it is.

/** A word, a part of an identifier, or two characters of a script without spaces. */
export const wordTerm = (term: string): IndexTerm => `:${term}`;
/** A word that says much about the context, by a step from 1 to {@link impactSteps}; each word has one step at most. */
export const impactTerm = (step: number, term: string): IndexTerm => `^${step}${term}`;
export const impactSteps = 2;
/** Three characters in a row of the URL, or the first of them as a prefix. */
export const urlTerm = (characters: string): IndexTerm => `/${characters}`;
export const languageTerm = (language: string): IndexTerm => `@${language}`;
export const levelTerm = (level: string): IndexTerm => `%${level}`;
export const typeTerm = (type: string): IndexTerm => `!${type}`;
/** Every context has it. */
export const anyTerm: IndexTerm = "*";

const monthDays = 32;
/** Terms that a time range is named by at most; a longer one is compared row by row. */
const rangeTermsMax = 64;

const dayOf = (time: number): number => Math.floor(time / dayMs);
/** Whether a time is the beginning of its day, so that {@link timeRangeTerms} says all about it. */
export const isDayStart = (time: number): boolean => time % dayMs === 0;

const dayTerm = (day: number): IndexTerm => `#d${day.toString(36)}`;
const monthTerm = (month: number): IndexTerm => `#m${month.toString(36)}`;
const numbers = (first: number, last: number): number[] =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);

/** When a context was captured: its day, and its month of 32 days. */
export function timeTerms(capturedAt: number): IndexTerm[] {
  const day = dayOf(capturedAt);
  return [dayTerm(day), monthTerm(Math.floor(day / monthDays))];
}

/**
 * Terms of which every context captured from `since` on and before `until` has one, with some captured on the same days; undefined where
 * they would be too many. Times are milliseconds since the epoch.
 */
export function timeRangeTerms(since: number, until: number): IndexTerm[] | undefined {
  const [first, last] = [dayOf(since), dayOf(until - 1)];
  if (last < first || last - first > rangeTermsMax * monthDays) return undefined;
  const firstMonth = Math.ceil(first / monthDays);
  const endMonth = Math.floor((last + 1) / monthDays);
  if (firstMonth >= endMonth) return last - first < rangeTermsMax ? numbers(first, last).map(dayTerm) : undefined;
  return [
    ...numbers(first, firstMonth * monthDays - 1).map(dayTerm),
    ...numbers(firstMonth, endMonth - 1).map(monthTerm),
    ...numbers(endMonth * monthDays, last).map(dayTerm),
  ];
}

/** Any of the matches; one alone stands for itself. */
export function anyOf(matches: readonly Match[]): Match {
  const [only, ...others] = matches;
  return only !== undefined && others.length === 0 ? only : { any: matches };
}

/** All of the matches and none of `none`; without any, every context. */
export function allOf(matches: readonly Match[], none: readonly Match[] = []): Match {
  const all = matches.length > 0 ? matches : [anyTerm];
  const [only, ...others] = all;
  if (only !== undefined && others.length === 0 && none.length === 0) return only;
  return none.length === 0 ? { all } : { all, none };
}
