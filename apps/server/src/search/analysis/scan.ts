/** What a scan finds, in the order of the text. Places are UTF-16 units. */
export interface TokenSink {
  /** Once true, nothing more is wanted. */
  isDone?: boolean;
  /** A word, or a part of an identifier. Takes a position of its own. */
  word(start: number, end: number): void;
  /**
   * The last `words` words, which are written together and may be meant as one: `getUserName`, `node.js`; or the last one with the
   * sign that makes it another, which {@link isSigned} tells: `C++`, `C#`, `.NET`. Takes no position.
   */
  joined(start: number, end: number, words: number): void;
  /** A character of a dense script. Takes a position of its own. `pairEnd` is the end of the next one, which makes a pair with it; or `end`. */
  gram(start: number, end: number, pairEnd: number): void;
}

/** What a character is to the scanner. */
const kinds = {
  separator: 1,
  /** A letter that is not upper case, a number that is no digit, a private-use character. */
  letter: 2,
  upper: 3,
  digit: 4,
  /** A combining mark, or the soft hyphen of a word that may be divided there: part of the character before it. */
  mark: 5,
  /** A character of a script that puts no spaces between words, or whose words grow by what is written onto them. */
  dense: 6,
  /** A sign that may join words into one: `node.js`, `snake_case`, `wi-fi`, `l'été`. */
  joiner: 7,
} as const;
type Kind = (typeof kinds)[keyof typeof kinds];

const densePattern =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30fc\uff70]/u;
const markPattern = /[\p{M}\u00ad\uff9e\uff9f]/u;
const upperPattern = /[\p{Lu}\p{Lt}]/u;
const digitPattern = /\p{Nd}/u;
const letterPattern = /[\p{L}\p{N}\p{Co}]/u;
/** Signs of {@link kinds.joiner}. */
const joiners = "-._'\u2019\u2010\u2011";

/** Kinds of UTF-16 units, found once each; 0 is not yet looked at. */
const known = new Uint8Array(0x10000);

/** The kind of the character that the unit at `at` belongs to: both halves of a pair are of the kind of the whole. */
function kindAt(text: string, at: number): Kind {
  const unit = text.charCodeAt(at);
  if (unit >= 0xd800 && unit <= 0xdfff) return kindOfPair(text, at, unit);
  return ((known[unit] ||= kindOf(String.fromCharCode(unit))) as Kind) || kinds.separator;
}

function kindOfPair(text: string, at: number, unit: number): Kind {
  const start = unit >= 0xdc00 ? at - 1 : at;
  const point = start < 0 ? undefined : text.codePointAt(start);
  // A half without its other half is no character.
  return point === undefined || point < 0x10000 ? kinds.separator : kindOf(String.fromCodePoint(point));
}

function kindOf(character: string): Kind {
  if (joiners.includes(character)) return kinds.joiner;
  if (markPattern.test(character)) return kinds.mark;
  if (densePattern.test(character)) return letterPattern.test(character) ? kinds.dense : kinds.separator;
  if (upperPattern.test(character)) return kinds.upper;
  if (digitPattern.test(character)) return kinds.digit;
  return letterPattern.test(character) ? kinds.letter : kinds.separator;
}

/** Words written together that are taken as one as well, and the length to which they are. */
const joinedWordsMax = 6;
const joinedUnitsMax = 64;
const hasLetter = /\p{L}/u;

/** Finds the words of `text` from `from` on until `to`. Linear time. */
export function scan(text: string, sink: TokenSink, from = 0, to = text.length): void {
  let at = from;
  while (at < to && sink.isDone !== true) {
    const kind = kindAt(text, at);
    if (kind === kinds.dense) at = scanDense(text, at, to, sink);
    else if (kind === kinds.letter || kind === kinds.upper || kind === kinds.digit) at = scanIdentifier(text, at, to, sink);
    else at++;
  }
}

/** A run of words that single joiners or changes of case hold together. */
function scanIdentifier(text: string, from: number, to: number, sink: TokenSink): number {
  let at = from;
  let words = 0;
  let segments = 0;
  let lastStart = at;
  for (;;) {
    const segmentStart = at;
    const wordsBefore = words;
    for (;;) {
      const end = wordEnd(text, at, to);
      sink.word(at, end);
      lastStart = at;
      words++;
      at = end;
      if (at >= to || !isWordKind(kindAt(text, at))) break;
    }
    segments++;
    const parts = words - wordsBefore;
    if (parts > 1) join(sink, text, { start: segmentStart, end: at, words: parts });
    const joins = at + 1 < to && kindAt(text, at) === kinds.joiner && isWordKind(kindAt(text, at + 1));
    if (!joins) break;
    at++;
  }
  if (segments > 1) join(sink, text, { start: from, end: at, words });
  // Asked before anything is made: hardly any word has a sign.
  if (isSign(text.charCodeAt(at)) || text.charCodeAt(from - 1) === dot) {
    const signed = signedAround(text, { start: lastStart, end: at, isAlone: lastStart === from }, to);
    if (signed) sink.joined(signed.start, signed.end, 1);
  }
  return at;
}

/** The word with a sign that belongs to it: `C++`, `C#` (one letter, else it is the mark of a part of a page), `.NET`. */
function signedAround(
  text: string,
  { start, end, isAlone }: { start: number; end: number; isAlone: boolean },
  to: number,
): { start: number; end: number } | undefined {
  const sign = end < to ? text.charCodeAt(end) : 0;
  if (sign === plus)
    return end + 1 < to && text.charCodeAt(end + 1) === plus && end - start <= joinedUnitsMax ? { start, end: end + 2 } : undefined;
  if (sign === sharp)
    return end - start === 1 && hasLetter.test(text[start] ?? "") && !(end + 1 < to && isWordKind(kindAt(text, end + 1)))
      ? { start, end: end + 1 }
      : undefined;
  const isNet = isAlone && end - start === 3 && start > 0 && text[start - 1] === "." && isSigned(text.slice(start - 1, end));
  return isNet && !(start > 1 && isWordKind(kindAt(text, start - 2))) ? { start: start - 1, end } : undefined;
}

const plus = 0x2b;
const sharp = 0x23;
const dot = 0x2e;
const isSign = (unit: number): boolean => unit === plus || unit === sharp;

function join(sink: TokenSink, text: string, { start, end, words }: { start: number; end: number; words: number }): void {
  if (words > joinedWordsMax || end - start > joinedUnitsMax) return;
  // Numbers that signs hold together (1.5, 2026-01-31) are never meant as the number without the sign.
  if (hasLetterIn(text, start, end)) sink.joined(start, end, words);
}

function hasLetterIn(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const unit = text.charCodeAt(at) | 0x20;
    if (unit >= 0x61 && unit <= 0x7a) return true;
    if (unit > 0x7f) return hasLetter.test(text.slice(at, end));
  }
  return false;
}

function isWordKind(kind: number): boolean {
  return kind === kinds.letter || kind === kinds.upper || kind === kinds.digit;
}

/** The end of the word at `start`: up to a change from lower to upper case, or to the last capital of several before a small letter. */
function wordEnd(text: string, start: number, to: number): number {
  let at = start;
  let before: number = kinds.separator;
  let beforeThat: number = kinds.separator;
  while (at < to) {
    const kind = kindAt(text, at);
    // Most of what there is: small letters after a small letter.
    if (kind === kinds.letter && before === kinds.letter) {
      beforeThat = kinds.letter;
      at++;
      continue;
    }
    const isPairEnd = (text.charCodeAt(at) & 0xfc00) === 0xdc00;
    if (kind === kinds.mark || (isPairEnd && at > start)) {
      at++;
      continue;
    }
    if (!isWordKind(kind)) return at;
    if (kind === kinds.upper && before === kinds.letter) return at;
    // The S of `HTTPServer` begins a word, that of `URLs` does not.
    if (kind === kinds.letter && before === kinds.upper && beforeThat === kinds.upper && !isPlural(text, at, to)) return at - 1;
    beforeThat = before;
    before = kind;
    at++;
  }
  return at;
}

function isPlural(text: string, at: number, to: number): boolean {
  return text[at] === "s" && (at + 1 >= to || !isWordKind(kindAt(text, at + 1)));
}

/** A run of characters of a dense script, each with its marks. */
function scanDense(text: string, from: number, to: number, sink: TokenSink): number {
  let start = from;
  let end = clusterEnd(text, start, to);
  while (end < to && kindAt(text, end) === kinds.dense && sink.isDone !== true) {
    const next = clusterEnd(text, end, to);
    sink.gram(start, end, next);
    start = end;
    end = next;
  }
  sink.gram(start, end, end);
  return end;
}

function clusterEnd(text: string, start: number, to: number): number {
  let at = start + 1;
  if ((text.charCodeAt(start) & 0xfc00) === 0xd800) at++;
  while (at < to && kindAt(text, at) === kinds.mark) at++;
  return at;
}

const joinerPattern = new RegExp(`[${joiners}]`, "g");
const signPattern = /(?:\+\+|#)$|^\.net$/i;

/** Whether a word has a sign that makes it another. */
export const isSigned = (text: string): boolean => signPattern.test(text);

/** What is written together as one word: `wi-fi` as `wifi`, `C#` as `Csharp`. */
export function withoutJoiners(text: string): string {
  const named = isSigned(text) ? text.replace("++", "plusplus").replace("#", "sharp").replace(/^\./, "dot") : text;
  return named.replace(joinerPattern, "");
}
