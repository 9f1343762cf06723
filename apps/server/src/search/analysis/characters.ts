/** What a character is to the scanner. */
export const kinds = {
  separator: 1,
  /** A letter that is not upper case, a number that is no digit, a private-use character. */
  letter: 2,
  upper: 3,
  digit: 4,
  /** A combining mark: part of the character before it. */
  mark: 5,
  /** A character of a script that puts no spaces between words, or whose words grow by what is written onto them. */
  dense: 6,
  /** A sign that may join words into one: `node.js`, `snake_case`, `wi-fi`, `l'été`. */
  joiner: 7,
} as const;
export type Kind = (typeof kinds)[keyof typeof kinds];

const densePattern =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30fc\uff70]/u;
const markPattern = /[\p{M}\uff9e\uff9f]/u;
const upperPattern = /[\p{Lu}\p{Lt}]/u;
const digitPattern = /\p{Nd}/u;
const letterPattern = /[\p{L}\p{N}\p{Co}]/u;
/** Signs of {@link kinds.joiner}. */
export const joiners = "-._'\u2019\u2010\u2011";

/** Kinds of UTF-16 units, found once each; 0 is not yet looked at. */
const known = new Uint8Array(0x10000);

/** The kind of the character that the unit at `at` belongs to: both halves of a pair are of the kind of the whole. */
export function kindAt(text: string, at: number): Kind {
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
