/**
 * UTF-8 bytes of a text as it stands in JSON, without the quotes: what it takes in a message. At most `bytesMax` and one character more are counted.
 * `end` is how many units of the text fit, never with half of a code point.
 */
export function fitJson(text: string, bytesMax: number): { bytes: number; end: number } {
  if (text.length > 64 && text.length <= bytesMax) {
    // Mostly all of it fits, which the browser knows sooner than a loop in a script that has just begun.
    const whole = new TextEncoder().encode(JSON.stringify(text)).length - 2;
    if (whole <= bytesMax) return { bytes: whole, end: text.length };
  }
  let bytes = 0;
  let at = 0;
  while (at < text.length) {
    const code = text.codePointAt(at) ?? 0;
    const size = jsonBytesOf(code);
    if (bytes + size > bytesMax) break;
    bytes += size;
    at += code > 0xffff ? 2 : 1;
  }
  return { bytes, end: at };
}

function jsonBytesOf(code: number): number {
  if (code < 0x20) return code === 0x0a || code === 0x09 || code === 0x0d || code === 0x08 || code === 0x0c ? 2 : 6;
  if (code === 0x22 || code === 0x5c) return 2;
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  // Half of a pair that stands alone is written as an escape.
  if (code >= 0xd800 && code <= 0xdfff) return 6;
  return code > 0xffff ? 4 : 3;
}

/** The beginning of a text that takes at most `bytesMax` bytes in JSON, cut between code points. */
export function cutToJson(text: string, bytesMax: number): string {
  // No unit takes more than six bytes.
  if (text.length * 6 <= bytesMax) return text;
  const { end } = fitJson(text, bytesMax);
  return end === text.length ? text : text.slice(0, end);
}

let signs: Intl.Segmenter | undefined;
/** Units around a cut that are looked at: what is longer is no sign that anybody reads as one. */
const signUnits = 128;

/** The place at or before `at` at which a text can be cut without cutting in two what is read as one sign, such as an emoji of several. */
export function betweenSigns(text: string, at: number): number {
  if (at <= 0 || at >= text.length) return at;
  const from = Math.max(0, at - signUnits);
  // Not before it is needed: the script of a page begins in every page, and few texts are cut.
  signs ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  const start = signs.segment(text.slice(from, at + signUnits)).containing(at - from)?.index ?? 0;
  return start === 0 && from > 0 ? at : from + start;
}

/** Where a text that is cut before the filter may end: a number that is cut in two is no number to the filter. */
const marginUnits = 4_096;

/**
 * Takes back the cut of a text to the last line that is whole, else to the last word, within the last 4,096 units and the second half of the text;
 * without one, to before what may be a token. A number in groups, which a word may be a part of, goes as a whole.
 */
export function cutToWhole(text: string): string {
  const from = Math.max(text.length - marginUnits, text.length >> 1);
  const line = text.lastIndexOf("\n");
  if (line >= from) return text.slice(0, line).trimEnd();
  const blank = text.lastIndexOf(" ");
  const end = betweenSigns(text, endBeforeNumber(text, blank >= from ? blank : endBefore(text, text.length, token)));
  return end === text.length ? text : text.slice(0, end).trimEnd();
}

/** What a number, a key or an address consists of, with the invisible characters that may stand in it. */
const token = /[\w\p{Nd}\p{Cf}!#$%&*+\-./:=?@^~\u2011\u2013]/u;
/** What stands between the groups of a number. */
const between = /[ \t\u00a0\p{Cf}().\-/\u2011\u2013]/u;

/** Where the number begins that ends at `end`: words with a digit, and between them short ones of capitals, as an IBAN has. */
function endBeforeNumber(text: string, end: number): number {
  let kept = end;
  for (let at = end; at > 0;) {
    const wordEnd = endBefore(text, at, between);
    at = endBefore(text, wordEnd, token);
    const word = text.slice(at, wordEnd);
    if (/\p{Nd}/u.test(word)) kept = at;
    else if (!/^[A-Z]{1,4}$/.test(word)) break;
  }
  return kept;
}

function endBefore(text: string, end: number, units: RegExp): number {
  let at = end;
  while (at > 0 && units.test(text.charAt(at - 1))) at -= 1;
  return at;
}

/** Bytes beyond what a message may hold that are read all the same, for the filter to see what stands at the end. */
export const marginBytes = 2 * marginUnits;
