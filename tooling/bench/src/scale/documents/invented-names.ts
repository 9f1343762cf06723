import { randomOf } from "../../measure/random.ts";

/** Sets how fast names repeat: of n draws about n^(1 / exponent) differ, which with 1.5 is how vocabularies of web text grow. */
const exponent = 1.5;
/** Ranks over which the names are about equally frequent, so that none is a common word. */
const flat = 500;
const partCharsMin = 3;
const partCharsMax = 6;

/**
 * Names that nobody has used, as products, people and functions have them: pieces of real words put together. A few are frequent, most are
 * rare, and there is always another one, so that the vocabulary of a growing store grows as that of real text does (Heaps' law); text
 * that is only put together anew runs out of words.
 */
export class InventedNames {
  readonly #words: readonly string[];

  /** @param words real words of 6 letters and more */
  constructor(words: readonly string[]) {
    this.#words = words;
  }

  /** A name by a draw from 0 to 1. */
  draw(random: () => number): string {
    return this.#ofRank(Math.floor(flat * ((1 - random()) ** (-1 / (exponent - 1)) - 1)));
  }

  /** The same rank is the same name. One in four is written as code has it. */
  #ofRank(rank: number): string {
    const random = randomOf(Math.imul(rank % 0xff_ff_ff_fb, 0x9e_37_79_b1) ^ 0x5c_a1_e0_00);
    const part = () => this.#words[Math.floor(random() * this.#words.length)] ?? "";
    const chars = () => partCharsMin + Math.floor(random() * (partCharsMax - partCharsMin + 1));
    const start = part().slice(0, chars());
    const end = part().slice(-chars());
    return random() < 0.25 ? `${start}${end.charAt(0).toUpperCase()}${end.slice(1)}` : start + end;
  }
}
