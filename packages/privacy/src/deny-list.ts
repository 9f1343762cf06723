import { columnBits, buildAutomaton, type KeywordAutomaton } from "./text/keyword-automaton.js";
import { isWordish } from "./text/chars.js";
import type { Report } from "./detector.js";

/** The user's own names and addresses, ready to be found in one pass. */
export interface DenyList {
  readonly automaton: KeywordAutomaton;
  readonly entries: readonly string[];
}

const entriesMax = 1000;
const entryLengthMax = 200;

/**
 * Prepares a deny-list. Blank entries are left out; where an entry has white space, `-`, `_`, `.` or `+`, text may have a run of up to 16
 * of them, so that a name is found in a path or an address too. Throws `RangeError` for more than 1,000 entries or one longer
 * than 200 characters.
 */
export function compileDenyList(list: readonly string[]): DenyList | undefined {
  const folded = list.map((entry) =>
    fold(entry)
      .replaceAll(/ {1,200}/g, " ")
      .trim(),
  );
  const entries = [...new Set(folded)].filter((entry) => entry.length > 1);
  if (entries.length === 0) return undefined;
  if (entries.length > entriesMax) throw new RangeError(`a deny-list has at most ${entriesMax} entries`);
  if (entries.some((entry) => entry.length > entryLengthMax))
    throw new RangeError(`an entry of a deny-list has at most ${entryLengthMax} characters`);
  return { automaton: buildAutomaton([entries]), entries };
}

/** Finds every entry as a whole word, whatever its case. Linear in the text for a given list. */
export function findDenied(text: string, { automaton, entries }: DenyList, report: Report): void {
  const { columns, next, outputs } = automaton;
  let state = 0;
  let blanks = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = foldUnit(text.charCodeAt(i));
    blanks = unit === blank ? blanks + 1 : 0;
    if (blanks > 1 && blanks <= blanksMax) continue;
    state = next[(state << columnBits) | (columns[unit] ?? 0)] ?? 0;
    for (const index of outputs[state] ?? []) {
      const start = startOf(text, i, entries[index] ?? "");
      if (start >= 0 && !isInWord(text, start) && !isInWord(text, i + 1)) report(start, i + 1, "deny-list", "denied");
    }
  }
}

const blank = 0x20;
/** Longest run that stands for one blank of an entry. */
const blanksMax = 16;

/** Where the entry that ends with the unit at `last` starts; -1 when it is another one of the same columns. */
function startOf(text: string, last: number, entry: string): number {
  let at = last;
  for (let k = entry.length - 1; k >= 0; k--) {
    const wanted = entry.charCodeAt(k);
    if (at < 0 || foldUnit(text.charCodeAt(at)) !== wanted) return -1;
    at--;
    if (wanted !== blank) continue;
    for (let n = 1; n < blanksMax && at >= 0 && foldUnit(text.charCodeAt(at)) === blank; n++) at--;
  }
  return at + 1;
}

/** Whether the place before a unit is inside a word. */
function isInWord(text: string, at: number): boolean {
  return isWordish(text.charCodeAt(at - 1)) && isWordish(text.charCodeAt(at));
}

/** Lower case unit by unit, so that offsets stay; what separates words becomes a blank. */
function fold(value: string): string {
  let folded = "";
  for (let i = 0; i < value.length; i++) folded += String.fromCharCode(foldUnit(value.charCodeAt(i)));
  return folded;
}

function foldUnit(c: number): number {
  if (c < 128) return c >= 0x41 && c <= 0x5a ? c + 32 : isSeparator(c) ? blank : c;
  const lower = String.fromCharCode(c).toLowerCase();
  return lower.length === 1 ? (/\s/.test(lower) ? blank : lower.charCodeAt(0)) : c;
}

/** White space, `+`, `-`, `.` and `_`. */
function isSeparator(c: number): boolean {
  return (c >= 0x09 && c <= 0x0d) || c === 0x2b || c === 0x2d || c === 0x2e || c === 0x5f;
}
