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
 * Finds every entry as a whole word, whatever its case, or as letters in a row in scripts without blanks. Linear in the text, whatever the list and
 * the text are: as its letters are whole words, an entry cannot start inside of one, and so of the entries that end at a letter the longest holds all
 * others.
 */
export function findDenied(text: string, { letters, wordMax, root, lettersMax }: DenyList, report: Report): void {
  const starts = new Uint32Array(lettersMax);
  let count = 0;
  let state = root;
  readTokens(text, (kind, start, end) => {
    starts[count++ % lettersMax] = start;
    let to = end;
    let letter: number | undefined = kind === blank && end - start <= blanksMax ? blankLetter : undefined;
    if (kind !== blank && end - start <= wordMax) {
      letter = letters.get(kind === word ? foldWord(text.slice(start, end)) : foldSign(text.slice(start, end)));
      while (letter === undefined && to - start > stemMin && end - to < particlesMax && particles.has(text.charAt(to - 1)))
        letter = letters.get(foldWord(text.slice(start, --to)));
    }
    state = following(state, letter ?? otherLetter);
    const [length] = state.outputs;
    if (length === undefined) return;
    report(starts[(count - length) % lettersMax] ?? 0, to, "deny-list", "denied");
  });
}

/** Syllables that Korean puts behind a name without a blank: particles and titles, of which several may follow one another. */
const particles = new Set("은는이가을를의에서게와과도만씨님아야께로으랑한테까지부터처럼보다");
const particlesMax = 4;
/** A name before them has two syllables or more. */
const stemMin = 2;

/** Cuts a text into words, signs, and runs of what separates words. */
function readTokens(text: string, take: (kind: number, start: number, end: number) => void): void {
  for (let at = 0; at < text.length;) {
    const kind = classOf(text.charCodeAt(at));
    let end = at + 1;
    if (kind === word) end = unspaced.test(text.charAt(at)) ? letterEnd(text, end) : wordEnd(text, end);
    if (kind === blank) end = blankEnd(text, at);
    take(kind, at, end);
    at = end;
  }
}

/** Letters of scripts that write no blanks between words: Han, kana, Thai, Lao, Khmer, Burmese. Each is a word of its own. */
const unspaced = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u9fff\uf900-\ufaff\uff66-\uff9f]/;
/** Voicing of kana that is written by itself. */
const voicing = /[\u3099\u309a\uff9e\uff9f]/;

function letterEnd(text: string, from: number): number {
  return voicing.test(text.charAt(from)) ? from + 1 : from;
}

function wordEnd(text: string, from: number): number {
  let end = from;
  while (end < text.length && classOf(text.charCodeAt(end)) === word && !unspaced.test(text.charAt(end))) end++;
  return end;
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
