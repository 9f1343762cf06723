import type { Report } from "./detector.js";
import { buildStates, following, type State } from "./text/automaton.js";
import { blank, classOf, foldSign, foldWord, word } from "./text/folded-words.js";

/** The user's own names and addresses, ready to be found in one pass: an automaton whose letters are whole words and signs. */
export interface DenyList {
  /** Number of each folded word and sign that entries are made of; {@link blankLetter} is what separates words. */
  readonly letters: ReadonlyMap<string, number>;
  /** Longer words are none of them. */
  readonly wordMax: number;
  /** The state to begin in. Outputs are lengths of entries, in letters. */
  readonly root: State<number>;
  /** Letters of the longest entry. */
  readonly lettersMax: number;
}

const entriesMax = 1000;
const entryLengthMax = 200;
/** Longest run that stands for one blank of an entry. */
const blanksMax = 16;
const blankLetter = 0;
/** In no entry. */
const otherLetter = -1;
/** A letter may be written with up to three marks. */
const unitsPerLetter = 4;

/**
 * Prepares a deny-list. Blank entries are left out; where an entry has white space, `-`, `_`, `.` or `+`, text may have a run of up to 16
 * of them, so that a name is found in a path or an address too, and a quoted line may end there (`\n> `). Throws `RangeError` for
 * more than 1,000 entries or one longer than 200 characters.
 */
export function compileDenyList(list: readonly string[]): DenyList | undefined {
  const given = [...new Set(list.map((entry) => entry.trim()))].filter((entry) => entry.length > 1);
  if (given.length > entriesMax) throw new RangeError(`a deny-list has at most ${entriesMax} entries`);
  if (given.some((entry) => entry.length > entryLengthMax))
    throw new RangeError(`an entry of a deny-list has at most ${entryLengthMax} characters`);
  const entries = given.map(tokensOf).filter((tokens) => tokens.join("").length > 1);
  if (entries.length === 0) return undefined;
  const letters = new Map([...new Set([" ", ...entries.flat()])].map((token, index) => [token, index]));
  const [root] = buildStates(
    entries.map((tokens) => ({ letters: tokens.map((token) => letters.get(token) ?? otherLetter), output: tokens.length })),
  );
  if (root === undefined) return undefined;
  const wordMax = unitsPerLetter * Math.max(...entries.flat().map(({ length }) => length));
  return { letters, wordMax, root, lettersMax: Math.max(...entries.map(({ length }) => length)) };
}

/** The words and signs of an entry, one blank between them where it has any. */
function tokensOf(entry: string): string[] {
  const tokens: string[] = [];
  readTokens(entry, (kind, start, end) => {
    tokens.push(kind === blank ? " " : kind === word ? foldWord(entry.slice(start, end)) : foldSign(entry.slice(start, end)));
  });
  return tokens.slice(tokens[0] === " " ? 1 : 0, tokens.at(-1) === " " ? -1 : undefined);
}

/**
 * Finds every entry as a whole word, whatever its case. Linear in the text, whatever the list and the text are: as its letters are whole words, an
 * entry cannot start inside of one, and so of the entries that end at a letter the longest holds all others.
 */
export function findDenied(text: string, { letters, wordMax, root, lettersMax }: DenyList, report: Report): void {
  const starts = new Uint32Array(lettersMax);
  let count = 0;
  let state = root;
  const letterOf = (kind: number, start: number, end: number): number => {
    if (kind === blank) return end - start > blanksMax ? otherLetter : blankLetter;
    if (end - start > wordMax) return otherLetter;
    const token = text.slice(start, end);
    return letters.get(kind === word ? foldWord(token) : foldSign(token)) ?? otherLetter;
  };
  readTokens(text, (kind, start, end) => {
    starts[count++ % lettersMax] = start;
    state = following(state, letterOf(kind, start, end));
    const [length] = state.outputs;
    if (length === undefined) return;
    report(starts[(count - length) % lettersMax] ?? 0, end, "deny-list", "denied");
  });
}

/** Cuts a text into words, signs, and runs of what separates words. */
function readTokens(text: string, take: (kind: number, start: number, end: number) => void): void {
  for (let at = 0; at < text.length;) {
    const kind = classOf(text.charCodeAt(at));
    let end = at + 1;
    if (kind === word) while (end < text.length && classOf(text.charCodeAt(end)) === word) end++;
    if (kind === blank) end = blankEnd(text, at);
    take(kind, at, end);
    at = end;
  }
}

/** `>` at the start of a line is the mark of a quoted one. */
function blankEnd(text: string, from: number): number {
  let isLineStart = false;
  for (let at = from; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 0x0a || unit === 0x0d) isLineStart = true;
    else if (!(isLineStart && unit === 0x3e) && classOf(unit) !== blank) return at;
  }
  return text.length;
}
