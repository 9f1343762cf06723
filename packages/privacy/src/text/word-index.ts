import { isLetter, isLower, isUpper } from "./chars.js";
import type { Hits, TextScan } from "./scan.js";

/** Finds context words beside a candidate, from what the shared scan has already found; amortised constant time. */
export interface WordIndex {
  /** Whether a word starts in `[from, to)`. */
  has(from: number, to: number): boolean;
  /** Whether the layout makes one of the words the label of a value that starts, or ends, here. */
  labels(start: number, end: number): boolean;
}

const letter = /\p{L}/u;

/**
 * Indexes the hits of `words`, the first of which is anchor number `first`. They start a word, as the scan looked for them.
 */
export function wordIndex({ layout }: TextScan, { starts, anchors }: Hits, words: readonly string[], first = 0): WordIndex {
  const wordAt = (index: number): string | undefined => words[(anchors[index] ?? 0) - first];
  // Few texts ask, so nothing is read before one does.
  let sorted: number[] | undefined;
  let values: { starts: Set<number>; ends: Set<number> } | undefined;
  const read = (): { starts: Set<number>; ends: Set<number> } => {
    const found = { starts: new Set<number>(), ends: new Set<number>() };
    starts.forEach((start, index) => {
      const word = wordAt(index);
      if (word === undefined) return;
      layout.places(start, start + word.length, (place) => {
        if (place.by === "before") found.ends.add(place.end);
        else found.starts.add(place.start);
      });
    });
    return found;
  };
  // Places are asked for in nearly rising order, so the last answer is the best place to start from.
  let next = 0;
  return {
    has(from, to) {
      const places = (sorted ??= starts.filter((_, index) => wordAt(index) !== undefined).sort((a, b) => a - b));
      while (next > 0 && (places[next - 1] ?? 0) >= from) next--;
      while (next < places.length && (places[next] ?? 0) < from) next++;
      return next < places.length && (places[next] ?? 0) < to;
    },
    labels(start, end) {
      values ??= read();
      return values.starts.has(start) || values.ends.has(end);
    },
  };
}

/**
 * Whether a keyword found at `start` starts a word: after a character that is no letter, or with a capital after a small letter (`homePhone`).
 */
export function startsWord(text: string, start: number): boolean {
  const before = text.charCodeAt(start - 1);
  if (Number.isNaN(before)) return true;
  if (before < 128 && !isLetter(before)) return true;
  const first = text.charCodeAt(start);
  // Scripts without blanks between words (Thai, Han, Kana, Hangul) have no boundary to look for.
  if (first >= 0x2e80 || (first >= 0x0e00 && first < 0x0e80)) return true;
  if (before >= 128) return !letter.test(text.charAt(start - 1));
  return isLower(before) && isUpper(first);
}
