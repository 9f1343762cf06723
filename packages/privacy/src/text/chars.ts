/**
 * Character tests by table: a detector asks them millions of times per document.
 * Every function takes a UTF-16 unit; `NaN` (past either end of the text) answers false.
 */
const DIGIT = 1;
const LOWER = 2;
const UPPER = 4;
const HEX = 8;
const UNDERSCORE_DASH = 16;
const SPACE = 32;

const flags = new Uint8Array(65536);
for (let c = 0x30; c <= 0x39; c++) flags[c] = DIGIT | HEX;
for (let c = 0x61; c <= 0x7a; c++) flags[c] = LOWER | (c <= 0x66 ? HEX : 0);
for (let c = 0x41; c <= 0x5a; c++) flags[c] = UPPER | (c <= 0x46 ? HEX : 0);
flags[0x5f] = UNDERSCORE_DASH;
flags[0x2d] = UNDERSCORE_DASH;
for (const c of [0x20, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000]) flags[c] = SPACE;
for (let c = 0x2000; c <= 0x200a; c++) flags[c] = SPACE;

const has = (c: number, mask: number): boolean => ((flags[c] ?? 0) & mask) !== 0;

/** Tests for the units of a text. */
export function oneOf(units: string): (c: number) => boolean {
  const table = new Uint8Array(65_536);
  for (let index = 0; index < units.length; index++) table[units.charCodeAt(index)] = 1;
  return (c) => table[c] === 1;
}

/** ASCII digit. */
export const isDigit = (c: number): boolean => has(c, DIGIT);
/** ASCII letter. */
export const isLetter = (c: number): boolean => has(c, LOWER | UPPER);
/** ASCII lower-case letter. */
export const isLower = (c: number): boolean => has(c, LOWER);
/** ASCII upper-case letter. */
export const isUpper = (c: number): boolean => has(c, UPPER);
/** ASCII letter or digit. */
export const isAlnum = (c: number): boolean => has(c, DIGIT | LOWER | UPPER);
/** Hexadecimal digit. */
export const isHex = (c: number): boolean => has(c, HEX);
/** ASCII letter, digit, `_` or `-`: the base64url alphabet. */
export const isBase64Url = (c: number): boolean => has(c, DIGIT | LOWER | UPPER | UNDERSCORE_DASH);
/** White space, line ends included. */
export const isSpace = (c: number): boolean => has(c, SPACE);

/** The end of a run of units of one kind from `from` on, at most `max` of them. */
export function runEnd(text: string, from: number, max: number, is: (c: number) => boolean): number {
  let end = from;
  while (end - from < max && is(text.charCodeAt(end))) end++;
  return end;
}

/**
 * Letter or digit of any script (approximately: every unit from U+00AA on that is neither space nor general
 * punctuation counts as a letter, surrogates included), so that a Unicode word is never cut in half.
 */
export function isWordish(c: number): boolean {
  if (c < 128) return has(c, DIGIT | LOWER | UPPER);
  return (
    c >= 0xaa &&
    !has(c, SPACE) &&
    c !== 0xab &&
    c !== 0xb7 &&
    c !== 0xbb &&
    c !== 0xbf &&
    !(c >= 0x2010 && c <= 0x206f) &&
    !(c >= 0x3001 && c <= 0x3011 && !(c >= 0x3005 && c <= 0x3007)) &&
    !(c >= 0xff00 && c <= 0xff0f) &&
    c !== 0xff1a &&
    c !== 0xff1b
  );
}
