import { codeCues, given, giving, isYours, otherNumber, plainCues, signInCues } from "../data/code-wording.js";
import type { Detector } from "../detector.js";
import { isAlnum, isLetter } from "../text/chars.js";
import { matchesAt } from "../text/match-at.js";
import type { TextScan } from "../text/scan.js";
import { wordIndex } from "../text/word-index.js";

/** How far from a code the words for it count. */
const reach = 70;
const signInReach = 160;
/**
 * One-time codes by the wording of the sentence around them: `482913 is your verification code`, `use 482913 to sign in`. What stands beside a label is
 * for the labels. Numbers of orders and invoices, years, amounts and dates stay.
 */
export const oneTimeCode: Detector = {
  kind: "one_time_code",
  tier: "floor",
  anchors: [...codeCues, ...plainCues, ...signInCues],
  anchorsStartWords: true,
  find(scan, hits, report) {
    const { text, runStarts, runEnds } = scan;
    if (hits.starts.length === 0 || runStarts.length === 0) return;
    const strong = wordIndex(scan, hits, codeCues);
    const plain = wordIndex(scan, hits, plainCues, codeCues.length);
    const signIn = wordIndex(scan, hits, signInCues, codeCues.length + plainCues.length);
    for (let run = 0; run < runStarts.length; run++) {
      const start = runStarts[run] ?? 0;
      const end = codeEnd(scan, run);
      if (end === 0) continue;
      const isNamed = strong.has(start - reach, end + reach);
      if (!isNamed && !plain.has(start - reach, end + reach)) continue;
      if (!isFree(text, start, end)) continue;
      const after = text.slice(end, end + 64);
      if (!isNamed && !isYours.test(after) && !signIn.has(start - signInReach, end + signInReach)) continue;
      const isSix = isNamed && (end === runEnds[run] ? end - start === 6 : text.charCodeAt(runEnds[run] ?? 0) === 0x20);
      if (
        !isSix &&
        (/^(?:19|20)[0-9]{2}(?:[-–](?:19|20)[0-9]{2})?$/.test(text.slice(start, end)) ||
          !(matchesAt(given, text, start) || giving.test(after)))
      )
        continue;
      if (otherNumber.test(text.slice(Math.max(0, start - 32), start))) continue;
      report(start, end, "wording");
    }
  },
};

/** The end of a code that starts at a run: 4 to 8 digits, or two groups of three or four. 0 for none. */
function codeEnd({ text, runStarts, runEnds }: TextScan, run: number): number {
  const start = runStarts[run] ?? 0;
  const end = runEnds[run] ?? 0;
  const length = end - start;
  if ((length === 3 || length === 4) && runStarts[run + 1] === end + 1 && /[ \u2011–-]/.test(text.charAt(end))) {
    const last = runEnds[run + 1] ?? 0;
    if (last - end - 1 === length && runStarts[run + 2] !== last + 1) return last;
  }
  return length >= 4 && length <= 8 ? end : 0;
}

/** No part of an amount, a date, a time, an id or a longer number. */
function isFree(text: string, start: number, end: number): boolean {
  const before = text.charCodeAt(start - 1);
  const after = text.charCodeAt(end);
  if (text[start - 1] === ":" && !isAlnum(text.charCodeAt(start - 2))) return true;
  if (isAlnum(before) || isAlnum(after) || /[.,:/+#€$£¥₹_%&=]/.test(text.charAt(start - 1)) || /[€$£¥%°_]/.test(text.charAt(end)))
    return text[start - 1] === ":" && isLetter(text.charCodeAt(start - 2)) && !isAlnum(after);
  if (/[-–]/.test(text.charAt(start - 1)) && isAlnum(text.charCodeAt(start - 2)))
    return /(?<![A-Za-z0-9])[A-Z]-$/.test(text.slice(Math.max(0, start - 3), start));
  return !(/[.,:/-]/.test(text.charAt(end)) && isAlnum(text.charCodeAt(end + 1)));
}
