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
 * Prepares a deny-list. Blank entries are left out; a run of white space stands for any one white space.
 * Throws `RangeError` for more than 1,000 entries or one longer than 200 characters.
 */
export function compileDenyList(list: readonly string[]): DenyList | undefined {
  const entries = [...new Set(list.map((entry) => fold(entry.trim()).replaceAll(/\s{1,200}/g, " ")))].filter((entry) => entry.length > 1);
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
  for (let i = 0; i < text.length; i++) {
    state = next[(state << columnBits) | (columns[foldUnit(text.charCodeAt(i))] ?? 0)] ?? 0;
    for (const index of outputs[state] ?? []) {
      const entry = entries[index] ?? "";
      const start = i + 1 - entry.length;
      if (isWordish(text.charCodeAt(start - 1)) && isWordish(text.charCodeAt(start))) continue;
      if (isWordish(text.charCodeAt(i + 1)) && isWordish(text.charCodeAt(i))) continue;
      if (fold(text.slice(start, i + 1)) === entry) report(start, i + 1, "deny-list", "denied");
    }
  }
}

/** Lower case unit by unit, so that offsets stay; every white space becomes a blank. */
function fold(value: string): string {
  let folded = "";
  for (let i = 0; i < value.length; i++) folded += String.fromCharCode(foldUnit(value.charCodeAt(i)));
  return folded;
}

function foldUnit(c: number): number {
  if (c < 128) return c >= 0x41 && c <= 0x5a ? c + 32 : c >= 0x09 && c <= 0x0d ? 0x20 : c;
  const lower = String.fromCharCode(c).toLowerCase();
  return lower.length === 1 ? (/\s/.test(lower) ? 0x20 : lower.charCodeAt(0)) : c;
}
