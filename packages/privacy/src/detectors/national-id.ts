import type { Detector } from "../detector.js";
import { isAlnum, isLetter, isLower, isUpper } from "../text/chars.js";
import type { Hits } from "../text/scan.js";
import { startsWord } from "../text/word-index.js";
import { nationalNumbers } from "./national/numbers.js";
import { isRepeatedDigit } from "./number-checks.js";

/** How far before and after the number a word counts. */
const reach = 48;
const reachAfter = 32;
/** More words than this beside one number add nothing. */
const marksMax = 24;
const words = nationalNumbers.flatMap((number) => number.words);
/** Which number each word speaks for, by index of the word. */
const wordOwners = nationalNumbers.flatMap((number, index) => number.words.map(() => index));
/** The numbers as they stand in text; same index as {@link nationalNumbers}. */
export const nationalShapes = nationalNumbers.map(({ shape }) => new RegExp(`(?:${shape})(?![0-9A-Za-z_])`, "iy"));
/** Numbers that need no word. */
const certain = nationalNumbers.flatMap(({ words: needed }, index) => (needed.length === 0 ? [index] : []));

/**
 * National identification numbers (table in `national/numbers.ts`): the check digit must hold and a word for the number
 * must be near, unless the format has letters and a check digit and is certain by itself.
 */
export const nationalId: Detector = {
  kind: "national_id",
  tier: "government",
  anchors: words,
  readsDigits: true,
  find({ text, runStarts, runEnds }, hits, report) {
    const near = labels(text, hits);
    let done = 0;
    for (let run = 0; run < runStarts.length; run++) {
      const digits = runStarts[run] ?? 0;
      if (digits < done) continue;
      const labelled = near(digits);
      const isCertain = couldBeCertain(text, digits, runEnds[run] ?? 0);
      if (labelled.length === 0 && !isCertain) continue;
      const candidates = isCertain ? [...labelled, ...certain] : labelled;
      for (const start of tokenStarts(text, digits)) {
        if (start < done || isAlnum(text.charCodeAt(start - 1)) || isJoined(text, start)) continue;
        const found = longestMatch(text, start, candidates);
        if (found === undefined) continue;
        report(start, found.end, found.rule);
        done = found.end;
        break;
      }
    }
  },
};

/** Numbers that need no word start with six digits or more, with letters around two, or with three, a full stop and another one. */
function couldBeCertain(text: string, start: number, end: number): boolean {
  const length = end - start;
  if (length === 2) return isLetter(text.charCodeAt(start - 1)) || isLetter(text.charCodeAt(end));
  return length >= 6 || (length === 3 && text[end] === "." && (text[end + 4] === "." || text[end + 5] === "."));
}

/** Short words must be whole: `SIN`, not `single`, but `nhsNumber`; longer ones may be inflected. */
function isWord(text: string, start: number, length: number): boolean {
  const next = text.charCodeAt(start + length);
  return startsWord(text, start) && (length > 5 || !isLetter(next) || (isUpper(next) && isLower(text.charCodeAt(start + length - 1))));
}

const none: readonly number[] = [];

/** For a place, the numbers that words near it speak for. Places must be asked for in rising order. */
function labels(text: string, { starts, anchors }: Hits): (place: number) => readonly number[] {
  const marks = [...starts.keys()]
    .filter((index) => isWord(text, starts[index] ?? 0, words[anchors[index] ?? 0]?.length ?? 0))
    .toSorted((a, b) => (starts[a] ?? 0) - (starts[b] ?? 0));
  let first = 0;
  return (place) => {
    while (first < marks.length && (starts[marks[first] ?? 0] ?? 0) < place - reach) first++;
    if (first >= marks.length || (starts[marks[first] ?? 0] ?? 0) > place + reachAfter) return none;
    const owners: number[] = [];
    for (let mark = first; mark < marks.length && mark < first + marksMax; mark++) {
      const index = marks[mark] ?? 0;
      if ((starts[index] ?? 0) > place + reachAfter) break;
      const owner = wordOwners[anchors[index] ?? 0];
      if (owner !== undefined && !owners.includes(owner)) owners.push(owner);
    }
    return owners;
  };
}

function longestMatch(text: string, start: number, candidates: readonly number[]): { end: number; rule: string } | undefined {
  let best: { end: number; rule: string } | undefined;
  for (const index of candidates) {
    const shape = nationalShapes[index];
    const number = nationalNumbers[index];
    if (shape === undefined || number === undefined) continue;
    shape.lastIndex = start;
    if (!shape.test(text)) continue;
    const end = shape.lastIndex;
    if (text[end] === "-" && isAlnum(text.charCodeAt(end + 1))) continue;
    const value = compact(text.slice(start, end), number.name);
    if (isRepeatedDigit(value) || !(number.isValid(value) || number.labelled === true)) continue;
    if (best === undefined || end > best.end) best = { end, rule: number.name };
  }
  return best;
}

/** Without separators, in upper case; in a Finnish code the sign says the century. */
function compact(value: string, name: string): string {
  return value.toUpperCase().replaceAll(name === "fi-hetu" ? /[ ./]/g : /[ .\-+/]/g, "");
}

/**
 * Where a number whose digits start here could start: with the letters right before them (at most six, in a codice
 * fiscale), with `X-` of a NIE or `AB ` of a national insurance number, or with the digits.
 */
function tokenStarts(text: string, digits: number): number[] {
  let start = digits;
  while (digits - start < 7 && isAlnum(text.charCodeAt(start - 1))) start--;
  if (start < digits) return [start];
  if (text[digits - 1] === "-" && /(?<![A-Za-z0-9])[XYZ]$/i.test(text.slice(Math.max(0, digits - 3), digits - 1)))
    return [digits - 2, digits];
  if (text[digits - 1] === " " && /(?<![A-Za-z0-9])[A-Z]{2}$/i.test(text.slice(Math.max(0, digits - 4), digits - 1)))
    return [digits - 3, digits];
  return [digits];
}

/** Inside a longer id, decimal or version. */
function isJoined(text: string, start: number): boolean {
  const before = text[start - 1];
  return before === "_" || ((before === "-" || before === ".") && isAlnum(text.charCodeAt(start - 2)));
}
