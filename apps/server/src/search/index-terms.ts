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
/** Days, and months, that a time range may be made of. */
const bucketsMax = 64;

/** When a context was captured: its day, and its month of 32 days. */
export function timeTerms(capturedAt: number): IndexTerm[] {
  const day = dayOf(capturedAt);
  return [dayTerm(day), monthTerm(Math.floor(day / monthDays))];
}

/** Terms of which every context captured on the days from `first` to `last` has one, and no other. Undefined when they would be too many. */
export function termsOfDays(first: number, last: number): IndexTerm[] | undefined {
  const firstMonth = Math.ceil(first / monthDays);
  const endMonth = Math.floor((last + 1) / monthDays);
  if (firstMonth >= endMonth) return last - first < bucketsMax ? numbers(first, last).map(dayTerm) : undefined;
  if (endMonth - firstMonth > bucketsMax) return undefined;
  return [
    ...numbers(first, firstMonth * monthDays - 1).map(dayTerm),
    ...numbers(firstMonth, endMonth - 1).map(monthTerm),
    ...numbers(endMonth * monthDays, last).map(dayTerm),
  ];
}

/** The day of a time, as {@link termsOfDays} counts them. */
export const dayOf = (time: number): number => Math.floor(time / dayMs);
/** Whether a time is the beginning of its day. */
export const isDayStart = (time: number): boolean => time % dayMs === 0;

const dayTerm = (day: number): IndexTerm => `#d${day.toString(36)}`;
const monthTerm = (month: number): IndexTerm => `#m${month.toString(36)}`;
const numbers = (first: number, last: number): number[] =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
