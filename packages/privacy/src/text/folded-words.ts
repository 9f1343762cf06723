import { spelled } from "../data/letter-spellings.js";
import { isWordish } from "./chars.js";

/** What a unit of text is to a matcher of whole words. */
export type UnitClass = typeof word | typeof blank | typeof sign;
/** Part of a word. */
export const word = 1;
/** Separates words: white space, `-`, `_`, `.`, `+`, dashes, and the `\` that markdown puts before some of them. */
export const blank = 2;
/** Anything else: counts as itself. */
export const sign = 3;

/** Marks over, under and through letters (Unicode block Combining Diacritical Marks). */
const marks = /[\u0300-\u036f]/g;
/** Without its marks a shorter word is too often another one: Lê is no `le`. */
const markedMax = 3;

const classes = new Uint8Array(65536);
for (let c = 0; c < 65536; c++) classes[c] = isWordish(c) ? word : sign;
for (const c of "\t\n\v\f\r +-._\\\u00a0\u1680\u2028\u2029\u202f\u205f\u3000\u2010\u2011\u2012\u2013\u2014\u2015")
  classes[c.charCodeAt(0)] = blank;
for (let c = 0x2000; c <= 0x200a; c++) classes[c] = blank;
/** Written for `'` by hand, by a word processor, or by a full-width keyboard. */
const apostrophes = "`\u00b4\u02bc\u2018\u2019\u2032\uff07";
for (const c of apostrophes) classes[c.charCodeAt(0)] = sign;

/** The class of a UTF-16 unit. */
export const classOf = (unit: number): UnitClass => (classes[unit] ?? sign) as UnitClass;

/**
 * A word as it is compared: without case, in whichever form Unicode has for it (NFC, NFD, full width), without accents when
 * four letters or more are left, ß as ss.
 */
export function foldWord(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  let folded = "";
  for (const letter of text) {
    const lower = spelled[letter] ?? letter.toLowerCase();
    folded += spelled[lower] ?? lower;
  }
  folded = folded.normalize("NFKD");
  const plain = folded.replaceAll(marks, "");
  return plain.length > markedMax ? plain : folded;
}

/** A sign as it is compared: every apostrophe is one. */
export function foldSign(text: string): string {
  return apostrophes.includes(text) ? "'" : text;
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) return false;
  return true;
}
