import { buildStates } from "./automaton.js";
import { isSpecial } from "./invisible.js";

/** Keywords that are looked for together. */
export interface KeywordGroup {
  readonly words: readonly string[];
  /** Whether they count only where they start a word. */
  readonly startWords: boolean;
}

/** One keyword of a group. */
export interface Keyword {
  /** Lower case. */
  readonly text: string;
  /** Which group it came from, and its index there. */
  readonly group: number;
  readonly index: number;
  readonly startsWord: boolean;
  /** It has characters that share a column: the text must be compared. */
  readonly isShared: boolean;
}

/**
 * Finds every keyword of every detector in one pass over the text, letters of ASCII in any case. One table look-up per character is faster than one
 * regex per detector, and cannot backtrack.
 */
export interface KeywordAutomaton {
  /** Maps a UTF-16 unit to its column; 0 is "in no keyword". Letters are folded to lower case. */
  readonly columns: Uint8Array;
  /** Maps the units of keywords, in either case, to lower case. */
  readonly lower: Uint16Array;
  /** `next[(state << columnBits) | column]` is the following state. */
  readonly next: Uint16Array;
  /** The first state that a digit or a special unit leads to, or in which keywords end, so that the inner loop compares and looks nothing up. */
  readonly firstTelling: number;
  /** The keywords that end in each state from `firstTelling` on. */
  readonly outputs: ReadonlyArray<readonly Keyword[]>;
}

/** Width of a row of the transition table, as a power of two. */
export const columnBits = 6;
/** Columns that are left to one character each; the others are shared, but for the last. */
const ownColumnsMax = 58;
/** The column of what is matched otherwise than it is written. */
const specialColumn = (1 << columnBits) - 1;
const digits = "0123456789";

/** Builds the automaton; the same keyword may be in several groups. Throws `RangeError` when the keywords need more than 65,535 states. */
export function buildAutomaton(groups: readonly KeywordGroup[]): KeywordAutomaton {
  const { columns, lower, ownCount } = columnsFor(groups.flatMap(({ words }) => words.map((word) => word.toLowerCase())));
  const lettersOf = (text: string): number[] => Array.from(text.split(""), (unit) => columns[unit.charCodeAt(0)] ?? 0);
  const keywords = groups.flatMap(({ words, startWords }, group) =>
    words.map((word, index) => {
      const text = word.toLowerCase();
      const letters = lettersOf(text);
      return { letters, output: { text, group, index, startsWord: startWords, isShared: letters.some((letter) => letter > ownCount) } };
    }),
  );
  const states = buildStates<Keyword | undefined>([
    ...keywords,
    ...[...lettersOf(digits), specialColumn].map((letter) => ({ letters: [letter], output: undefined })),
  ]);
  if (states.length > 65_535) throw new RangeError("too many keywords for a 16-bit automaton");
  const order = [...states.filter(({ outputs }) => outputs.length === 0), ...states.filter(({ outputs }) => outputs.length > 0)];
  const numbers = new Map(order.map((state, number) => [state, number]));
  const next = new Uint16Array(order.length << columnBits);
  for (const state of states) {
    const row = (numbers.get(state) ?? 0) << columnBits;
    const fallback = (numbers.get(state.failure) ?? 0) << columnBits;
    next.copyWithin(row, fallback, fallback + (1 << columnBits));
    for (const [column, child] of state.children) next[row | column] = numbers.get(child) ?? 0;
  }
  const firstTelling = order.findIndex(({ outputs }) => outputs.length > 0);
  const outputs = order.slice(firstTelling).map((state) => state.outputs.filter((keyword) => keyword !== undefined));
  return { columns, lower, next, firstTelling, outputs };
}

/** ASCII that keywords use, and the digits, have columns of their own; other characters share the rest, so a hit with one of them is compared in full. */
function columnsFor(keywords: readonly string[]): { columns: Uint8Array; lower: Uint16Array; ownCount: number } {
  const columns = new Uint8Array(65536);
  const lower = new Uint16Array(65536);
  // By units, not by characters: the second half of an emoji needs a column as well.
  const units = [...new Set((digits + keywords.join("")).split(""))];
  const own = units.filter((unit) => unit <= "~").slice(0, ownColumnsMax);
  const sharedCount = specialColumn - 1 - own.length;
  for (let c = 0x80; c < columns.length; c++) if (isSpecial(c)) columns[c] = specialColumn;
  for (const unit of [...own, ...units]) {
    for (const variant of [unit, unit.toUpperCase()]) {
      const code = variant.charCodeAt(0);
      // The capitals of ı and ß are also those of i and s, which come first.
      lower[code] ||= unit.charCodeAt(0);
      const index = own.indexOf(unit);
      if (columns[code] === 0) columns[code] = 1 + (index >= 0 ? index : own.length + (unit.charCodeAt(0) % sharedCount));
    }
  }
  return { columns, lower, ownCount: own.length };
}
