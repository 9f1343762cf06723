/**
 * Whether one of the words is within `reach` units before `start` (or after `end`).
 * The text between is bounded, so this is constant work per candidate.
 */
export function hasWordNear(text: string, start: number, end: number, near: { words: RegExp; before: number; after: number }): boolean {
  return near.words.test(text.slice(Math.max(0, start - near.before), start)) || (near.after > 0 && near.words.test(text.slice(end, end + near.after)));
}

/** A case-insensitive pattern of plain words that start at a word boundary. */
export function wordPattern(words: readonly string[]): RegExp {
  return new RegExp(`(?<![\\p{L}])(?:${words.map((word) => word.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&")).join("|")})`, "iu");
}
