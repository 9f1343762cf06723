import { hashOf } from "./analysis/term-hash.js";
import { wordsOf } from "./analysis/words.js";

/** A hash of the words of a title or a query: equal for texts that differ in case, accents and signs only; 0 without words. */
export function titleHashOf(text: string): number {
  const words = wordsOf(text);
  return words.length === 0 ? 0 : hashOf(words.join(" ")) >>> 0;
}
