import type { Report } from "./detector.js";
import { blank, classOf, foldSign, foldWord, word } from "./text/folded-words.js";
import { type Vocabulary, vocabularyOf } from "./text/vocabulary.js";

/**
 * The user's own names and addresses, ready to be found in one pass: an automaton of Aho and Corasick ("Efficient string
 * matching", CACM 1975) whose letters are whole words and signs.
 */
export interface DenyList {
  /** The words and signs that entries are made of. */
  readonly vocabulary: Vocabulary;
  /** `next.get(state * (vocabulary.size + 2) + number)` is the following state. */
  readonly next: ReadonlyMap<number, number>;
  /** The state to go on from where there is no following one. */
  readonly failure: Uint32Array;
  /** Tokens of the longest entry that ends in a state; 0 for none. */
  readonly found: Uint16Array;
  /** Tokens of the longest entry. */
  readonly tokensMax: number;
}

const entriesMax = 1000;
const entryLengthMax = 200;
/** Longest run that stands for one blank of an entry. */
const blanksMax = 16;
/** The number of what separates words; those of the vocabulary are lower. */
const blankNumber = ({ size }: Vocabulary): number => size + 1;

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
  return entries.length === 0 ? undefined : buildAutomaton(entries);
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
 * Finds every entry as a whole word, whatever its case. Linear in the text, whatever the list and the text are: an automaton
 * over tokens takes at most two steps a token, since each step back undoes one forward; as its letters are whole words, an
 * entry cannot start inside of one, and so of the entries that end at a token the longest holds all others. Measured on 1 MiB of
 * hostile repeats with lists of entries within entries: 0.02 to 0.5 s.
 */
export function findDenied(text: string, { vocabulary, next, failure, found, tokensMax }: DenyList, report: Report): void {
  const width = vocabulary.size + 2;
  const starts = new Uint32Array(tokensMax);
  let count = 0;
  let state = 0;
  // What overlaps is reported as one, so that entries within entries are not reported each by itself.
  let from = 0;
  let to = 0;
  readTokens(text, (kind, start, end) => {
    const token = kind !== blank ? vocabulary.numberOf(text, start, end) : end - start > blanksMax ? 0 : blankNumber(vocabulary);
    starts[count++ % tokensMax] = start;
    if (token === 0) {
      state = 0;
      return;
    }
    let following = next.get(state * width + token);
    while (following === undefined && state !== 0) {
      state = failure[state] ?? 0;
      following = next.get(state * width + token);
    }
    state = following ?? 0;
    const length = found[state] ?? 0;
    if (length === 0) return;
    const first = starts[(count - length) % tokensMax] ?? 0;
    if (first >= to) {
      if (to > from) report(from, to, "deny-list", "denied");
      from = first;
    }
    from = Math.min(from, first);
    to = end;
  });
  if (to > from) report(from, to, "deny-list", "denied");
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

function buildAutomaton(entries: ReadonlyArray<readonly string[]>): DenyList {
  const vocabulary = vocabularyOf(entries.flat().filter((token) => token !== " "));
  const width = vocabulary.size + 2;
  const next = new Map<number, number>();
  /** How each state is come to: breadth first once sorted by depth. */
  const states: Array<{ readonly before: number; readonly token: number; readonly depth: number }> = [{ before: 0, token: 0, depth: 0 }];
  const ends = new Map<number, number>();
  for (const entry of entries) {
    let state = 0;
    entry.forEach((text, index) => {
      const token = text === " " ? blankNumber(vocabulary) : vocabulary.numberOf(text, 0, text.length);
      const slot = state * width + token;
      const known = next.get(slot);
      if (known === undefined) {
        next.set(slot, states.length);
        states.push({ before: state, token, depth: index + 1 });
      }
      state = known ?? states.length - 1;
    });
    ends.set(state, entry.length);
  }
  const failure = new Uint32Array(states.length);
  const found = new Uint16Array(states.length);
  for (const { state, before, token, depth } of states.map((made, state) => ({ ...made, state })).toSorted((a, b) => a.depth - b.depth)) {
    if (depth > 1) {
      let fallback = failure[before] ?? 0;
      while (fallback !== 0 && !next.has(fallback * width + token)) fallback = failure[fallback] ?? 0;
      failure[state] = next.get(fallback * width + token) ?? 0;
    }
    // The entry that ends here is longer than any that ends in its fallback.
    found[state] = ends.get(state) ?? found[failure[state] ?? 0] ?? 0;
  }
  return { vocabulary, next, failure, found, tokensMax: Math.max(...entries.map(({ length }) => length)) };
}
