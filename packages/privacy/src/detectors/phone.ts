import { extension, letterBefore, otherNumberBefore, numberIs, phoneWords, wordsAfter } from "../data/phone-words.js";
import type { Detector } from "../detector.js";
import { isAlnum, isDigit, isLetter, isUpper } from "../text/chars.js";
import { matchEnd, matchesAt } from "../text/match-at.js";
import type { TextScan } from "../text/scan.js";
import { type WordIndex, wordIndex } from "../text/word-index.js";

/** How far before the number a word counts. */
const reach = 32;
/** `020 7946 0958`, `06 12 34 56 78`, `0171/5550123`: numbers of things do not start with one zero, but for postal codes (`02110-1301`). */
const trunk = /^(?!0[0-9]{2}[ -][0-9]{3}[ -][0-9]{3}$|0[0-9]{4}-[0-9]{4}$)\(?0[1-9][0-9]{0,4}\)?(?:[ /-][0-9]{2,8}){1,4}$/;

/**
 * Phone numbers: `+` and 8 to 15 digits (ITU-T E.164), numbers of the North American plan with separators, and any
 * other shape of 7 to 15 digits only beside a word for a phone. Dates, versions, addresses of hosts, money and
 * parts of ids are none. Written by hand because libphonenumber's finder takes other numbers too.
 */
export const phone: Detector = {
  kind: "phone",
  tier: "contact",
  anchors: phoneWords,
  anchorsStartWords: true,
  readsDigits: true,
  find(scan, hits, report) {
    const { text, runStarts, runEnds } = scan;
    const words = wordIndex(scan, hits, phoneWords);
    let done = 0;
    for (let run = 0; run < runStarts.length; run++) {
      const first = runStarts[run] ?? 0;
      if (first < done || (runEnds[run] ?? 0) - first > 15 || (isGlued(text.charCodeAt(first - 1)) && !words.labels(first, first)))
        continue;
      const found = international(scan, run) ?? northAmerican(scan, run, words) ?? labelled(scan, run, words);
      if (found === undefined) continue;
      const end = matchEnd(extension, text, found.end);
      report(found.start, end, found.rule);
      done = end;
    }
  },
};

/** Most runs of digits are parts of names, hashes and code: the cheapest test comes first. */
function isGlued(before: number): boolean {
  return (isLetter(before) && before !== 0x42 && before !== 0x62) || before === 0x5f;
}

interface Found {
  readonly start: number;
  readonly end: number;
  readonly rule: string;
}

interface Series {
  /** Where the number could end, and how many digits it has there. */
  readonly ends: readonly number[];
  readonly counts: readonly number[];
  /** More groups follow than a telephone number has: a card, a table, not a telephone number. */
  readonly isTooLong: boolean;
}

/** Runs of digits joined by separators, as far as 15 digits (E.164) and eight groups go. */
function series({ text, runStarts, runEnds }: TextScan, first: number): Series {
  const ends: number[] = [];
  const counts: number[] = [];
  let count = 0;
  let isTooLong = false;
  for (let run = first; run < runStarts.length && run < first + 8; run++) {
    const start = runStarts[run] ?? 0;
    const end = runEnds[run] ?? 0;
    if (run > first && !isSeparator(text, runEnds[run - 1] ?? 0, start)) break;
    count += end - start;
    isTooLong = count > 15;
    if (isTooLong) break;
    ends.push(end);
    counts.push(count);
  }
  return { ends, counts, isTooLong };
}

const separator = /^(?:\) |\)-|\)\.| ?\(|\)\(| [-–] )$/;

/** At most three signs between groups, such as `) ` or ` - `; no line end. */
function isSeparator(text: string, from: number, to: number): boolean {
  if (to - from === 1) {
    const c = text.charCodeAt(from);
    return c === 0x29 || c === 0x20 || c === 0x2d || c === 0x2e || c === 0x2f || c === 0x2011 || c === 0x2013;
  }
  return to - from <= 3 && separator.test(text.slice(from, to));
}

function isFreeBefore(text: string, start: number): boolean {
  const before = text.charCodeAt(start - 1);
  if (isAlnum(before) || before === 0x5f) return false;
  return !((before === 0x2e || before === 0x2d) && isAlnum(text.charCodeAt(start - 2)));
}

function isFreeAfter(text: string, end: number): boolean {
  if (matchesAt(extension, text, end)) return true;
  const after = text.charCodeAt(end);
  if (isAlnum(after) || after === 0x5f) return false;
  return !((after === 0x2d && isAlnum(text.charCodeAt(end + 1))) || (after === 0x2e && isDigit(text.charCodeAt(end + 1))));
}

function openingStart(text: string, first: number): number {
  return text[first - 1] === "(" ? first - 1 : first;
}

function international(scan: TextScan, run: number): Found | undefined {
  const { text, runStarts } = scan;
  const first = runStarts[run] ?? 0;
  let start = openingStart(text, first);
  if (text[start - 1] === "+") start--;
  else if (text[start - 3] === "%" && /^%2b$/i.test(text.slice(start - 3, start))) start -= 3;
  else return undefined;
  // `13~++20210715093511` is a version.
  if (text[start] === "+" && (isAlnum(text.charCodeAt(start - 1)) || text[start - 1] === "+" || text[start - 1] === "~")) return undefined;
  const { ends, counts } = series(scan, run);
  const isNanp = text[first] === "1" && counts.includes(11);
  for (let index = ends.length - 1; index >= 0; index--) {
    const count = counts[index] ?? 0;
    const end = ends[index] ?? 0;
    if (count >= 8 && (!isNanp || count === 11) && isFreeAfter(text, end)) return { start, end, rule: "international" };
  }
  return undefined;
}

/** `(415) 555-0132`, `415-555-0132`, `1.415.555.0132`, `001-415-555-0132`. */
function northAmerican(scan: TextScan, run: number, words: WordIndex): Found | undefined {
  const { text, runStarts, runEnds } = scan;
  const startOf = (index: number): number => runStarts[index] ?? 0;
  const endOf = (index: number): number => runEnds[index] ?? 0;
  const lengthOf = (index: number): number => endOf(index) - startOf(index);
  if (lengthOf(run) > 3 || lengthOf(run + 1) !== 3) return undefined;
  const hasPrefix =
    lengthOf(run + 2) === 3 && /^(?:00)?1$/.test(text.slice(startOf(run), endOf(run))) && isSeparator(text, endOf(run), startOf(run + 1));
  const area = hasPrefix ? run + 1 : run;
  if (lengthOf(area) !== 3 || lengthOf(area + 1) !== 3 || lengthOf(area + 2) !== 4) return undefined;
  if (!isSeparator(text, endOf(area), startOf(area + 1)) || !isSeparator(text, endOf(area + 1), startOf(area + 2))) return undefined;
  // `252.227-7013` is the number of a clause.
  if (!hasPrefix && text[endOf(area)] === "." && text[endOf(area + 1)] !== ".") return undefined;
  const start = openingStart(text, startOf(run));
  const end = endOf(area + 2);
  if ((!isFreeBefore(text, start) && !words.labels(start, start)) || !isFreeAfter(text, end)) return undefined;
  // Neither an area code nor an exchange starts with 0 or 1, unless something else says that it is a number to dial.
  if (text[endOf(area)] === " " && text[start - 1] === " " && isDigit(text.charCodeAt(start - 2)) && !isBesideWord(text, start, end, words))
    return undefined;
  const isPlanned = text.charCodeAt(startOf(area)) >= 0x32 && text.charCodeAt(startOf(area + 1)) >= 0x32;
  const isCertain = isPlanned || hasPrefix || text[startOf(area) - 1] === "(" || matchesAt(extension, text, end);
  if ((!isCertain && !isBesideWord(text, start, end, words)) || isSomethingElse(text, start)) return undefined;
  return { start, end, rule: "north-american" };
}

function labelled(scan: TextScan, run: number, words: WordIndex): Found | undefined {
  const { text, runStarts, runEnds } = scan;
  const first = runStarts[run] ?? 0;
  const firstEnd = runEnds[run] ?? 0;
  if (firstEnd - first < 6 && (runStarts[run + 1] ?? Number.POSITIVE_INFINITY) - firstEnd > 3) return undefined;
  const start = openingStart(text, first);
  const isFree = isFreeBefore(text, start);
  if (!isFree && !words.labels(start, start)) return undefined;
  const { ends, counts, isTooLong } = series(scan, run);
  if (isTooLong || (counts.at(-1) ?? 0) < 6) return undefined;
  const isCell = words.labels(start, start) || words.labels(first, first);
  const isLabelled =
    isCell ||
    words.has(start - reach, start) ||
    isAfterLetter(text, start) ||
    ("s: ".includes(text.charAt(start - 2)) && matchesAt(numberIs, text, start));
  for (let index = ends.length - 1; index >= 0; index--) {
    const end = ends[index] ?? 0;
    if ((counts[index] ?? 0) < 6) break;
    const isBefore = endsWithWord(text, end) || words.labels(-1, end);
    const isTrunk = index === ends.length - 1 && isTrunkNumber(text, start, end, counts[index] ?? 0);
    if (!isBefore && !isTrunk && (!isLabelled || (counts[index] ?? 0) < 7)) continue;
    if (!isFreeAfter(text, end) || isDateOrAddress(text.slice(start, end))) continue;
    return isSomethingElse(text, start) ? undefined : { start, end, rule: "labelled" };
  }
  return undefined;
}

/** In a national shape that starts with the trunk prefix, with no number around it. */
function isTrunkNumber(text: string, start: number, end: number, count: number): boolean {
  if (count < 9 || count > 11 || (text[start] !== "0" && text[start] !== "(") || !trunk.test(text.slice(start, end))) return false;
  return !/[0-9a-f][ /,;-]{1,3}$/i.test(text.slice(Math.max(0, start - 4), start)) && !/^[ /,;-]{1,3}[0-9]/.test(text.slice(end, end + 4));
}

/** Without a colon the letter counts only before a number that starts as one to dial at home does. */
function isAfterLetter(text: string, start: number): boolean {
  const before = text.charCodeAt(start - 1);
  if (isDigit(text.charCodeAt(start - 2)) || (!isUpper(before) && before !== 0x20 && before !== 0x3a && before !== 0x2e)) return false;
  const match = letterBefore.exec(text.slice(Math.max(0, start - 4), start));
  return match !== null && (match[1] === ":" || /^[(]?0/.test(text.slice(start, start + 2)));
}

function isBesideWord(text: string, start: number, end: number, words: WordIndex): boolean {
  return words.has(start - reach, start) || words.labels(start, end) || endsWithWord(text, end);
}

function endsWithWord(text: string, end: number): boolean {
  return !isDigit(text.charCodeAt(end + 1)) && matchesAt(wordsAfter, text, end);
}

function isSomethingElse(text: string, start: number): boolean {
  return otherNumberBefore.test(text.slice(Math.max(0, start - 32), start));
}

/** `2026-01-31`, `31.01.2026`, `2017-2022`, `192.168.1.10` and times after them. */
function isDateOrAddress(shape: string): boolean {
  return /^(?:(?:19|20)[0-9]{2}[-/.][0-9]{1,2}[-/.][0-9]{1,2}|(?:19|20)[0-9]{2}[-–](?:19|20)[0-9]{2}$|[0-9]{1,2}[-/.][0-9]{1,2}[-/.](?:19|20)[0-9]{2}|[0-9]{1,3}(?:\.[0-9]{1,3}){3}$)/.test(
    shape,
  );
}
