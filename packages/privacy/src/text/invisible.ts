/**
 * Characters that print nothing and split a token in two for a matcher, though not for a reader: soft hyphen,
 * zero-width space, joiners and non-joiners, directional marks, word joiner, variation selectors and BOM
 * (Unicode general category Cf, plus U+180E and U+FE00 to U+FE0F).
 */
const invisible = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]/;

/** A text as a matcher should see it, with the way back to the original. */
export interface VisibleText {
  /** The text without invisible characters. */
  readonly text: string;
  /** Original offset of each unit of `text`, or `undefined` when nothing was left out. */
  readonly offsets: Int32Array | undefined;
}

/** Leaves invisible characters out for matching only: what is stored keeps them. */
export function visibleText(original: string): VisibleText {
  if (original.search(invisible) < 0) return { text: original, offsets: undefined };
  const offsets = new Int32Array(original.length);
  const parts: string[] = [];
  let length = 0;
  let from = 0;
  for (let i = 0; i <= original.length; i++) {
    if (i < original.length && !isInvisible(original.charCodeAt(i))) {
      offsets[length++] = i;
      continue;
    }
    if (i > from) parts.push(original.slice(from, i));
    from = i + 1;
  }
  return { text: parts.join(""), offsets: offsets.subarray(0, length) };
}

function isInvisible(c: number): boolean {
  if (c < 0x600) return c === 0xad;
  if (c < 0x2000) return c === 0x61c || c === 0x180e;
  return (
    (c >= 0x200b && c <= 0x200f) || (c >= 0x202a && c <= 0x202e) || (c >= 0x2060 && c <= 0x2069) || (c >= 0xfe00 && c <= 0xfe0f) || c === 0xfeff
  );
}
