import type { Detector } from "../detector.js";
import { isAlnum } from "../text/chars.js";
import { type WordIndex, wordIndex } from "../text/word-index.js";
import { nationalNumbers } from "./national/numbers.js";
import { isRepeatedDigit } from "./number-checks.js";

/** How far before and after the number a word counts. */
const reach = 48;
const reachAfter = 24;
const words = nationalNumbers.flatMap((number) => number.words);
const shapes = nationalNumbers.map(({ shape }) => new RegExp(`(?:${shape})(?![0-9A-Za-z_])`, "iy"));
const ranges = nationalNumbers.map((number, index) => {
  const first = nationalNumbers.slice(0, index).reduce((sum, before) => sum + before.words.length, 0);
  return { first, last: first + number.words.length };
});
/** Shapes that need no word, and those that do, apart: without any word in the text most need not be tried. */
const certain = nationalNumbers.flatMap(({ words: needed }, index) => (needed.length === 0 ? [index] : []));

/**
 * National identification numbers (table in `national/numbers.ts`): the check digit must hold and a word for the number
 * must be near, unless the format has letters and a check digit and is certain by itself.
 */
export const nationalId: Detector = {
  kind: "national_id",
  tier: "government",
  anchors: words,
  find({ text, runStarts, runEnds }, hits, report) {
    const indexes = new Map<number, WordIndex>();
    const present = new Set(hits.anchors);
    nationalNumbers.forEach((_, index) => {
      const range = ranges[index] ?? { first: 0, last: 0 };
      for (let anchor = range.first; anchor < range.last; anchor++) {
        if (present.has(anchor)) {
          indexes.set(index, wordIndex(text, hits, range));
          break;
        }
      }
    });
    const worded = [...indexes.keys()];
    let previous = -1;
    for (let run = 0; run < runStarts.length; run++) {
      const start = tokenStart(text, runStarts[run] ?? 0);
      if (start === previous || isAlnum(text.charCodeAt(start - 1)) || isJoined(text, start)) continue;
      previous = start;
      const end = longestMatch(text, start, (runEnds[run] ?? 0) - (runStarts[run] ?? 0), { worded, indexes });
      if (end !== undefined) report(start, end.end, end.rule);
    }
  },
};

function longestMatch(text: string, start: number, firstRunLength: number, { worded, indexes }: { worded: readonly number[]; indexes: ReadonlyMap<number, WordIndex> }): { end: number; rule: string } | undefined {
  let best: { end: number; rule: string } | undefined;
  const consider = (index: number): void => {
    const shape = shapes[index];
    const number = nationalNumbers[index];
    if (shape === undefined || number === undefined) return;
    shape.lastIndex = start;
    if (!shape.test(text)) return;
    const end = shape.lastIndex;
    const value = text.slice(start, end).toUpperCase().replaceAll(/[ .\-+/]/g, (sign) => (sign === "+" || (sign === "-" && number.name === "fi-hetu") ? sign : ""));
    if (isRepeatedDigit(value) || !(number.isValid(value) || number.labelled === true)) return;
    if (number.words.length > 0 && indexes.get(index)?.has(start - reach, end + reachAfter) !== true) return;
    if (text[end] === "-" && isAlnum(text.charCodeAt(end + 1))) return;
    if (best === undefined || end > best.end) best = { end, rule: number.name };
  };
  worded.forEach(consider);
  // The certain formats start with a letter or have six or more digits at once, or groups with signs.
  if (firstRunLength >= 6 || isAlnum(text.charCodeAt(start + 7))) certain.forEach(consider);
  return best;
}

/** The letters that belong to the number stand right before its digits: at most six (codice fiscale). */
function tokenStart(text: string, digits: number): number {
  let start = digits;
  while (digits - start < 7 && isAlnum(text.charCodeAt(start - 1))) start--;
  // `X-1234567-L`: a NIE may have a dash after its letter.
  if (start === digits && text[digits - 1] === "-" && /[XYZxyz]/.test(text.charAt(digits - 2)) && !isAlnum(text.charCodeAt(digits - 3))) return digits - 2;
  // `AB 12 34 56 C`: a national insurance number may have a blank after its letters.
  if (start === digits && text[digits - 1] === " " && /(?<![A-Za-z0-9])[A-Za-z]{2}$/.test(text.slice(digits - 4 < 0 ? 0 : digits - 4, digits - 1))) return digits - 3;
  return start;
}

/** Inside a longer id, decimal or version. */
function isJoined(text: string, start: number): boolean {
  const before = text[start - 1];
  return before === "_" || ((before === "-" || before === ".") && isAlnum(text.charCodeAt(start - 2)));
}
