/**
 * Characters that print nothing and split a token in two for a matcher, though not for a reader: soft hyphen,
 * zero-width space, joiners and non-joiners, directional marks, word joiner, variation selectors and BOM
 * (Unicode general category Cf, plus U+180E and U+FE00 to U+FE0F).
 */
const invisible = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]{1,1000}/g;

/** A text as a matcher should see it, with the way back to the original. */
export interface VisibleText {
  /** The text without invisible characters. */
  readonly text: string;
  /** The original stretch of a stretch of `text`; invisible characters at its edges stay outside. */
  toOriginal(start: number, end: number): { start: number; end: number };
}

/** Leaves invisible characters out for matching only: what is stored keeps them. */
export function visibleText(original: string): VisibleText {
  invisible.lastIndex = 0;
  if (!invisible.test(original)) return { text: original, toOriginal: (start, end) => ({ start, end }) };
  /** For each cut: where it is in the visible text, and how many units have been left out up to and with it. */
  const places: number[] = [];
  const totals: number[] = [];
  let total = 0;
  const text = original.replace(invisible, (cut, offset: number) => {
    places.push(offset - total);
    totals.push((total += cut.length));
    return "";
  });
  const shift = (offset: number): number => {
    let low = 0;
    let high = places.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((places[middle] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return offset + (totals[low - 1] ?? 0);
  };
  return { text, toOriginal: (start, end) => ({ start: shift(start), end: shift(end - 1) + 1 }) };
}
