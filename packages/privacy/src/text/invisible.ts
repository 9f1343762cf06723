import { decodePieces } from "../html/entities.js";
import { isDigit } from "./chars.js";
import { countWhile } from "./count-while.js";
import type { Cell } from "./table.js";

/**
 * Characters that print nothing and split a token in two for a matcher, though not for a reader: soft hyphen,
 * zero-width space, joiners and non-joiners, directional marks, word joiner, variation selectors, tags and BOM
 * (Unicode general category Cf, plus U+034F, U+180E, U+FE00 to U+FE0F, and U+E0000 to U+E03FF, whose first half stands here).
 */
const invisible = /[\ufdd0\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff\udb40]/;

const firstHalf = 0xdb40;
const secondHalf = /[\udc00-\udfff]/;

/**
 * Stands where two elements of a line meet with nothing in between (`<b>PIN</b><i>4711</i>`): a noncharacter, which Unicode keeps for the inside
 * of programs (Unicode Standard, 23.7). It is no part of the text, and layout reads it as the edge of a cell.
 */
export const seam = "\ufdd0";
const seamUnit = seam.charCodeAt(0);

/** A text as a matcher should see it, with the way back to the original. */
export interface VisibleText {
  /** The text without what is left out. */
  readonly text: string;
  /** Where a {@link seam} was left out. */
  readonly seams: ReadonlySet<number>;
  /** The original stretch of a stretch of `text`; what is left out at its edges stays outside. */
  toOriginal(start: number, end: number): Cell;
}

/**
 * Backslash escapes (CommonMark 0.31, 2.4): converters to markdown put them into tokens (`sk\\_live\\_…`), and a reader sees none.
 * The backslash that is itself escaped stays. So are escapes of JSON: `\\u0026`, which writers put for signs that mean something in HTML.
 */
const markdownEscape = /\\(?:[!-/:-@[-`{-~]|u00(?:2[013-9a-f]|[346][0-9a-f]|5[0-9abd-f]|7[0-9a-e]))/gi;

/**
 * In text that is not said to be markdown only before signs that tokens and addresses are made of: there a backslash before a quote or
 * another backslash means something to the detectors, and so do the escapes of these two.
 */
const textEscape = /\\(?:[\\_.@:=+*~/-]|u00(?:2[013-9a-f]|[346][0-9a-f]|5[0-9abd-f]|7[0-9a-e]))/gi;

/**
 * Marks of markdown that a number or a token goes on behind: emphasis (CommonMark 0.31, 6.2), code, and tags inside of a line. Elsewhere a mark may part
 * values, and one star between digits multiplies them.
 */
const inlineMark =
  /(?<=[A-Za-z0-9])(?!\*[^*])(?:\*{1,3}|`{1,2}|<\/?(?:b|i|em|u|strong|span|mark|code|wbr)>)(?=[A-Za-z0-9])|(?<=[0-9][ -])(?:\*{1,3}|`{1,2}|<(?:b|i|em|u|strong|span|mark|code)>)(?=[0-9])|(?<=[0-9])(?:\*{1,3}|`{1,2}|<\/(?:b|i|em|u|strong|span|mark|code)>)(?=[ -][0-9])/g;

/**
 * Leaves out, for matching only, what hides a value though a reader sees none of it: invisible characters, the backslash before
 * punctuation, and marks of markdown inside of it. Reads escapes as what they stand for. What is stored keeps all of it. `hasSpecial` is false for a text that is not known to have any
 * unit that {@link isSpecial}.
 */
export function visibleText(
  given: string,
  { format = "text", hasSpecial }: { format?: "text" | "markdown" | undefined; hasSpecial: boolean },
): VisibleText {
  const found = hasSpecial ? specialUnits(given) : { variants: [], hidden: [] };
  const plain = withUnits(given, found.variants);
  const spelled = spellingsOf(plain, format);
  if (found.hidden.length + spelled.length === 0) return { text: plain, seams: noSeams, toOriginal: toItself };
  const original = withUnits(plain, spelled);
  const cuts = [...found.hidden, ...spelled.map(({ start, end, unit }) => ({ start: start + unit.length, end }))];
  /** Where what a unit is written as ends. */
  const ends = new Map(spelled.filter(({ unit }) => unit !== "").map(({ start, end }) => [start, end]));
  /** For each cut: where it is in the visible text, and how many units have been left out up to and with it. */
  const places: number[] = [];
  const totals: number[] = [];
  const parts: string[] = [];
  const seams = new Set<number>();
  let total = 0;
  let at = 0;
  for (const { start, end } of cuts.toSorted((a, b) => a.start - b.start)) {
    if (original.charCodeAt(start) === seamUnit) seams.add(start - total);
    places.push(start - total);
    totals.push((total += end - start));
    if (start > at) parts.push(original.slice(at, start));
    at = end;
  }
  parts.push(original.slice(at));
  const text = parts.join("");
  const shift = (offset: number): number => offset + (totals[countWhile(places, (place) => place <= offset) - 1] ?? 0);
  const endOf = (last: number): number => ends.get(last) ?? last + 1;
  return { text, seams, toOriginal: (start, end) => ({ start: shift(start), end: endOf(shift(end - 1)) }) };
}

const noSeams: ReadonlySet<number> = new Set();
const toItself = (start: number, end: number): Cell => ({ start, end });

/**
 * Signs that read as others and are one unit each, so that places stay: blanks of every width and those that do not break (Unicode general category
 * Zs), dashes between digits, full-width letters, digits and signs (Unicode block Halfwidth and Fullwidth Forms), and the decimal digits of Arabic,
 * Persian, Devanagari, Bengali and Thai.
 */
const variant =
  /[\u00a0\u1680\u2000-\u200a\u2010-\u2012\u202f\u205f\u2212\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef\u0e50-\u0e59\u3000\uff0b\uff0d-\uff19\uff1d\uff20-\uff3a\uff3f\uff41-\uff5a\ufe63]/;
const digitZeros = [0x0660, 0x06f0, 0x0966, 0x09e6, 0x0e50];

function plainOf(c: number): string {
  if (c >= 0xff00) return String.fromCharCode(c - 0xfee0);
  if (c === 0x2212 || c === 0xfe63 || (c >= 0x2010 && c <= 0x2012)) return "-";
  const zero = digitZeros.find((first) => c >= first && c <= first + 9);
  return zero === undefined ? " " : String(c - zero);
}

/** What a unit is to {@link visibleText}: nothing special, {@link variant}, {@link invisible}. */
const special = new Uint8Array(65_536);
/** What variants are read as. */
const plainUnits: string[] = [];
for (let c = 0x80; c < special.length; c++) {
  const unit = String.fromCharCode(c);
  special[c] = variant.test(unit) ? 1 : invisible.test(unit) ? 2 : 0;
  if (special[c] === 1) plainUnits[c] = plainOf(c);
}

/** Whether a unit is one that {@link visibleText} leaves out or reads as another. */
export function isSpecial(c: number): boolean {
  return special[c] !== 0;
}

const beyondAscii = /[^\0-\x7f]{1,1000}/g;

/** Where the special units of a text are. */
function specialUnits(text: string): { variants: Spelling[]; hidden: Cell[] } {
  const variants: Spelling[] = [];
  const hidden: Array<{ start: number; end: number }> = [];
  // The engine is the fastest to pass over ASCII.
  for (const { index, 0: run } of text.matchAll(beyondAscii)) {
    for (let i = index; i < index + run.length; i++) {
      const c = text.charCodeAt(i);
      if (special[c] === 1) {
        // A dash counts between digits, and is left in words.
        const unit = plainUnits[c] ?? "";
        if (unit !== "-" || c >= 0xff00 || besideDigit(text, i)) variants.push({ start: i, end: i + 1, unit });
      } else if (special[c] === 2) {
        const last = hidden.at(-1);
        const end = c === firstHalf && secondHalf.test(text.charAt(i + 1)) ? i + 2 : i + 1;
        if (last?.end === i && c !== seamUnit && text.charCodeAt(last.start) !== seamUnit) last.end = end;
        else hidden.push({ start: i, end });
      }
    }
  }
  return { variants, hidden };
}

function besideDigit(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at + 1);
  return isDigit(before) || isDigit(after) || special[before] === 1 || special[after] === 1;
}

/** A stretch that is read as one unit, or as nothing. */
interface Spelling extends Cell {
  readonly unit: string;
}

/** The text with what each stretch is read as in place of its first unit. */
function withUnits(text: string, spellings: readonly Spelling[]): string {
  let plain = "";
  let at = 0;
  for (const { start, unit } of spellings) {
    plain += text.slice(at, start) + unit;
    at = start + unit.length;
  }
  return plain + text.slice(at);
}

/** Escapes and, in markdown, character references and marks inside of a value, in order. */
function spellingsOf(text: string, format: "text" | "markdown"): Spelling[] {
  const escapes = escapesOf(text, format);
  return format === "text" ? escapes : [...escapes, ...marksOf(text), ...referencesOf(text)].toSorted((a, b) => a.start - b.start);
}

function marksOf(text: string): Spelling[] {
  return Array.from(text.matchAll(inlineMark), ({ 0: mark, index: start }) => ({ start, end: start + mark.length, unit: "" }));
}

/** Those that stand for one unit. */
function referencesOf(text: string): Spelling[] {
  return decodePieces(text, 0, text.length)
    .filter(({ start, end, text: unit }) => unit.length === 1 && end - start > 1)
    .map(({ start, end, text: unit }) => {
      const c = unit.charCodeAt(0);
      return { start, end, unit: special[c] === 2 ? "" : (plainUnits[c] ?? unit) };
    });
}

function escapesOf(text: string, format: "text" | "markdown"): Spelling[] {
  const spellings: Spelling[] = [];
  if (!text.includes("\\")) return spellings;
  for (const { 0: escape, index: start } of text.matchAll(format === "markdown" ? markdownEscape : textEscape)) {
    if (escape.length > 2)
      spellings.push({ start, end: start + escape.length, unit: String.fromCharCode(Number.parseInt(escape.slice(2), 16)) });
    else if (format === "markdown" || escape !== "\\\\") spellings.push({ start, end: start + 1, unit: "" });
  }
  return spellings;
}
