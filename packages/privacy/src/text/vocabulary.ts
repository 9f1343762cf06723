import { classOf, foldSign, foldWord, word } from "./folded-words.js";

/** Numbers for the words and signs that are looked for; for most others of a text it is told at a glance that they are none. */
export interface Vocabulary {
  /** How many there are; their numbers start at 1. */
  readonly size: number;
  /** The number of the stretch of text; 0 when it is none. Takes time linear in the stretch. */
  numberOf(text: string, start: number, end: number): number;
}

/** Whether a word may start with a unit: not known yet, no, yes. */
const [unknown, no, yes] = [0, 1, 2];
const tellMask = 4095;
/** Each letter may be written as a letter and up to three marks. */
const unitsPerLetter = 4;

/** Makes a vocabulary of folded words and signs. */
export function vocabularyOf(tokens: readonly string[]): Vocabulary {
  const numbers = new Map<string, number>();
  for (const token of tokens) if (!numbers.has(token)) numbers.set(token, numbers.size + 1);
  const firsts = new Set([...numbers.keys()].map((token) => plainFirst(token)));
  const lengthMax = unitsPerLetter * Math.max(0, ...[...numbers.keys()].map(({ length }) => length));
  const openings = new Uint8Array(65536);
  /** Marked where first unit, last unit and length of a word of ASCII tell that it may be one. */
  const telling = new Uint8Array(tellMask + 1);
  for (const token of numbers.keys()) telling[tell(token, 0, token.length)] = 1;

  const mayStart = (unit: number): boolean => {
    if (openings[unit] === unknown) {
      const first = plainFirst(foldWord(String.fromCharCode(unit)));
      // A mark has no letter, and half of a pair is none: they say nothing.
      openings[unit] = first === "" || (unit >= 0xd800 && unit <= 0xdfff) || firsts.has(first) ? yes : no;
    }
    return openings[unit] === yes;
  };

  return {
    size: numbers.size,
    numberOf(text, start, end) {
      const first = text.charCodeAt(start);
      if (classOf(first) !== word) return numbers.get(foldSign(text.slice(start, end))) ?? 0;
      if (end - start > lengthMax || !mayStart(first)) return 0;
      if (isAscii(text, start, end) && telling[tell(text, start, end)] === 0) return 0;
      return numbers.get(foldWord(text.slice(start, end))) ?? 0;
    },
  };
}

/** The first letter without marks; empty when there is nothing but marks. */
function plainFirst(token: string): string {
  return token.replace(/^[\u0300-\u036f]{1,1000}/, "").charAt(0);
}

/** Whatever the case: in ASCII a small letter differs from its capital by 32, and a digit has that bit. */
function tell(text: string, start: number, end: number): number {
  return ((text.charCodeAt(start) | 32) * 37 + (text.charCodeAt(end - 1) | 32) * 5 + (end - start) * 131) & tellMask;
}

function isAscii(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (text.charCodeAt(at) > 127) return false;
  return true;
}
