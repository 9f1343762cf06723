/** Sizes of answers, in UTF-16 units. */
export const bounds = {
  /** What `maxChars` is when a call does not say. */
  maxCharsDefault: 12_000,
  /** Room for one item with the longest of everything, its JSON escaped throughout. */
  maxCharsMin: 3_000,
  maxCharsMax: 100_000,
  titleCharsMax: 160,
  urlCharsMax: 300,
  snippetCharsMax: 300,
  limitDefault: 20,
  limitMax: 100,
} as const;

/** What a tool answers: the same for readers of text and for readers of JSON. */
export interface ToolAnswer {
  text: string;
  structured: Record<string, unknown>;
}

/** Size of an answer: that of its text or of its JSON, whichever is longer, since a host shows its model either. */
export function sizeOf({ text, structured }: ToolAnswer): number {
  return Math.max(text.length, JSON.stringify(structured).length);
}

/** The largest number up to `most` that fits; 1 when not even that does. `fits` must hold for all below one for which it holds. */
export function largestFit(most: number, fits: (count: number) => boolean): number {
  let low = 1;
  let high = most;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
