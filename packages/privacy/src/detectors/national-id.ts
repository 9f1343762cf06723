import type { Detector } from "../detector.js";
import { isAlnum, isDigit, isLetter } from "../text/chars.js";
import { matchesAt } from "../text/match-at.js";
import type { Hits, TextScan } from "../text/scan.js";
import { otherNumberBefore } from "../data/phone-words.js";
import { nationalNumbers } from "../data/national-numbers.js";
import { isRepeatedDigit } from "./number-checks.js";

/** How far before and after the number a word counts. */
const reach = 48;
const reachAfter = 32;
/** More words than this beside one number add nothing. */
const marksMax = 24;
/** Letters that may stand before the first digit of a number. */
const lettersMax = 7;
const words = nationalNumbers.flatMap((number) => number.words);
/** Which number each word speaks for, by index of the word. */
const wordOwners = nationalNumbers.flatMap((number, index) => number.words.map(() => index));
/** The numbers as they stand in text; same index as {@link nationalNumbers}. */
export const nationalShapes = nationalNumbers.map(({ shape }) => new RegExp(`(?:${shape})(?![0-9A-Za-z_])`, "iy"));
/** Numbers that need no word. */
const certain = nationalNumbers.flatMap(({ words: needed }, index) => (needed.length === 0 ? [index] : []));

/**
 * National identification numbers (table in `data/national-numbers.ts`): the check digit must hold and a word for the number
 * must be near, unless the format has letters and a check digit and is certain by itself.
 */
export const nationalId: Detector = {
  kind: "national_id",
  tier: "government",
  anchors: words,
  anchorsStartWords: true,
  readsDigits: true,
  find(scan, hits, report) {
    const { text, layout, runStarts, runEnds } = scan;
    if (runStarts.length === 0) return;
    const named = new NumberWords(scan, hits);
    let done = 0;
    for (let run = 0; run < runStarts.length; run++) {
      const digits = runStarts[run] ?? 0;
      if (digits < done) continue;
      const near = named.near(digits);
      const isCertain = couldBeCertain(text, digits, runEnds[run] ?? 0);
      if (near.length === 0 && !isCertain && !named.digits.has(digits)) continue;
      for (const start of tokenStarts(scan, digits)) {
        const labelled = [...near, ...named.at(start)];
        if (start < done || (labelled.length === 0 && !isCertain) || isJoined(text, start)) continue;
        if (isAlnum(text.charCodeAt(start - 1)) && !layout.isEdge(start) && named.at(start).length === 0) continue;
        const candidates = isCertain ? [...labelled, ...certain] : labelled;
        const found = longestMatch(text, start, candidates);
        if (found === undefined) continue;
        if (labelled.length === 0 && otherNumberBefore.test(text.slice(Math.max(0, start - 32), start))) continue;
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

const none: readonly number[] = [];

interface Mark {
  readonly start: number;
  readonly length: number;
  readonly owner: number;
}

/** Which numbers the words of a text speak for: words near a number, and labels that the layout puts it beside. */
class NumberWords {
  readonly #marks: readonly Mark[];
  readonly #laidOut = new Map<number, number[]>();
  /** Where the first digits of a label's value start. */
  readonly digits = new Set<number>();
  #first = 0;

  constructor({ text, layout }: TextScan, { starts, anchors }: Hits) {
    const marks: Mark[] = [];
    for (let index = 0; index < starts.length; index++) {
      const start = starts[index] ?? 0;
      const anchor = anchors[index] ?? 0;
      const length = words[anchor]?.length ?? 0;
      // Short words must be whole: `SIN`, not `single`, but `nhsNumber`; longer ones may be inflected.
      if (length > 5 || layout.endsWord(start + length)) marks.push({ start, length, owner: wordOwners[anchor] ?? 0 });
    }
    this.#marks = marks.toSorted((a, b) => a.start - b.start);
    for (const { start, length, owner } of this.#marks) {
      layout.places(start, start + length, ({ start: at, by }) => {
        if (by !== "column" && by !== "list" && by !== "cell" && by !== "glued") return;
        let digits = at;
        while (digits - at < lettersMax && !isDigit(text.charCodeAt(digits))) digits++;
        if (!isDigit(text.charCodeAt(digits))) return;
        this.digits.add(digits);
        const owners = this.#laidOut.get(at);
        if (owners === undefined) this.#laidOut.set(at, [owner]);
        else if (owners.length < marksMax) owners.push(owner);
      });
    }
  }

  /** Of words near a place. Places must be asked for in rising order. */
  near(place: number): readonly number[] {
    const marks = this.#marks;
    while (this.#first < marks.length && (marks[this.#first]?.start ?? 0) < place - reach) this.#first++;
    const owners: number[] = [];
    for (let index = this.#first; index < marks.length && index < this.#first + marksMax; index++) {
      const mark = marks[index];
      if (mark === undefined || mark.start > place + reachAfter) break;
      if (!owners.includes(mark.owner)) owners.push(mark.owner);
    }
    return owners.length === 0 ? none : owners;
  }

  /** Of labels whose value starts at a place. */
  at(place: number): readonly number[] {
    return this.#laidOut.get(place) ?? none;
  }
}

function longestMatch(text: string, start: number, candidates: readonly number[]): { end: number; rule: string } | undefined {
  let best: { end: number; rule: string } | undefined;
  for (const index of candidates) {
    const shape = nationalShapes[index];
    const number = nationalNumbers[index];
    if (shape === undefined || number === undefined || !matchesAt(shape, text, start)) continue;
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
function tokenStarts({ text, layout }: TextScan, digits: number): number[] {
  let start = digits;
  while (digits - start < lettersMax && !layout.isEdge(start) && isAlnum(text.charCodeAt(start - 1))) start--;
  if (start < digits) return [start, digits];
  if (text[digits - 1] === "-" && /(?<![A-Za-z0-9])[XYZ]$/i.test(text.slice(Math.max(0, digits - 3), digits - 1)))
    return [digits - 2, digits];
  if (text[digits - 1] === " " && /(?<![A-Za-z0-9])[A-Z]{2}$/i.test(text.slice(Math.max(0, digits - 4), digits - 1)))
    return [digits - 3, digits];
  return [digits];
}

/** Inside a longer id, decimal or version. */
function isJoined(text: string, start: number): boolean {
  const before = text[start - 1];
  return before === "_" || before === "%" || ((before === "-" || before === ".") && isAlnum(text.charCodeAt(start - 2)));
}
