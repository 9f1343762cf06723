import { isSpace } from "../text/chars.js";

/** Units that end a URL in running text: white space, quotes, angle and curly brackets, pipe, backslash, backtick. */
const enders = Uint8Array.from({ length: 65_536 }, (_, c) => Number(isSpace(c) || "\"'<>`{}|\\^".includes(String.fromCharCode(c))));

/** Whether a unit ends a URL that stands in text. */
export function endsUrl(c: number): boolean {
  return enders[c] !== 0;
}

/** Whether a URL ends at a place of a text: there, or with the text of a link in markdown (`[https://a.example/x](https://…)`). */
export function endsUrlAt(text: string, at: number): boolean {
  const c = text.charCodeAt(at);
  return endsUrl(c) || (c === 0x5d && text.charCodeAt(at + 1) === 0x28);
}

/** The end of a URL that started before `from`, at most `max` units on. */
export function urlEnd(text: string, from: number, max: number): number {
  let end = from;
  const limit = Math.min(text.length, from + max);
  while (end < limit && !endsUrlAt(text, end)) end++;
  return end;
}
