/**
 * A term of the search index: a sign for its kind, then what it says. The rest has neither signs of ASCII nor capital letters, so
 * that any engine can keep it as it stands. Engines add whose context it is.
 */
export type IndexTerm = string;

/** A word, a part of an identifier, a character or two of a dense script; as the analysis makes it. */
export const wordTerm = (term: string): IndexTerm => `:${term}`;
/** The same, in the title. */
export const titleTerm = (term: string): IndexTerm => `^${term}`;
/** The whole title, by the hash of its words. */
export const wholeTitleTerm = (hash: number): IndexTerm => `=${hash.toString(36)}`;
/** Three characters in a row of the URL, by their hash. */
export const urlTerm = (hash: number): IndexTerm => `/${(hash >>> 4).toString(36)}`;
/** The language of the context. */
export const languageTerm = (language: string): IndexTerm => `@${language}`;
export const levelTerm = (level: string): IndexTerm => `%${level}`;
export const typeTerm = (type: string): IndexTerm => `!${type}`;
/** Every context has it. */
export const anyTerm: IndexTerm = "*";

const dayMs = 86_400_000;
const monthDays = 32;
/** Alternatives that a time range is worth. */
const bucketsMax = 64;

/** When a context was captured: its day, and its month of 32 days. */
export function timeTerms(capturedAt: number): IndexTerm[] {
  const day = Math.floor(capturedAt / dayMs);
  return [dayTerm(day), monthTerm(Math.floor(day / monthDays))];
}

/** Terms of which every context within the range has one; others may have one too. Undefined when the range is too long to be worth it. */
export function termsOfRange(since: number, until: number): IndexTerm[] | undefined {
  const first = Math.floor(since / dayMs);
  const last = Math.floor((until - 1) / dayMs);
  if (last - first < bucketsMax) return numbers(first, last).map(dayTerm);
  const [firstMonth, lastMonth] = [Math.floor(first / monthDays), Math.floor(last / monthDays)];
  return lastMonth - firstMonth < bucketsMax ? numbers(firstMonth, lastMonth).map(monthTerm) : undefined;
}

const dayTerm = (day: number): IndexTerm => `#d${day.toString(36)}`;
const monthTerm = (month: number): IndexTerm => `#m${month.toString(36)}`;
const numbers = (first: number, last: number): number[] =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
