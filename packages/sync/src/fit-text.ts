const encoder = new TextEncoder();

/** UTF-8 bytes of the beginning of a text that takes at most `bytesMax`, and how many units of the text that is, never with half of a code point. */
export function fitBytes(text: string, bytesMax: number): { bytes: number; end: number } {
  const whole = encoder.encode(text).length;
  if (whole <= bytesMax) return { bytes: whole, end: text.length };
  const { read: end, written: bytes } = encoder.encodeInto(text, new Uint8Array(Math.max(0, bytesMax)));
  return { bytes, end };
}

/** How far a cut before the filter goes back: the filter would not recognise half a number. */
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
  const end = endBeforeNumber(text, blank >= from ? blank : endBefore(text, text.length, token));
  return end === text.length ? text : text.slice(0, end).trimEnd();
}

/** The beginning of a text that takes at most `bytesMax`, without half a number or token at its end. */
export function fitText(text: string, bytesMax: number): { content: string; isTruncated: boolean } {
  const { end } = fitBytes(text, bytesMax);
  const isTruncated = end < text.length;
  return { content: isTruncated ? cutToWhole(text.slice(0, end)) : text, isTruncated };
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
