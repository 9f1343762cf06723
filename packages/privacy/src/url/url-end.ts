import { isSpace } from "../text/chars.js";

/** Characters that end a URL in running text: quotes, angle and curly brackets, pipe, backslash, backtick. */
const enders = new Set([..."\"'<>`{}|\\^"].map((unit) => unit.charCodeAt(0)));

/** Whether a unit ends a URL that stands in text. */
export function endsUrl(c: number): boolean {
  return Number.isNaN(c) || isSpace(c) || enders.has(c);
}

/** The end of a URL that started before `from`, at most `max` units on. */
export function urlEnd(text: string, from: number, max: number): number {
  let end = from;
  const limit = Math.min(text.length, from + max);
  while (end < limit && !endsUrl(text.charCodeAt(end))) end++;
  return end;
}
