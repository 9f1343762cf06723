/** Whether a sticky pattern matches at a place. What it looks behind for is read backwards from there, not from each place before it. */
export function matchesAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

/** The end of what a sticky pattern matches at a place; the place itself where it matches nothing. */
export function matchEnd(pattern: RegExp, text: string, at: number): number {
  return matchesAt(pattern, text, at) ? pattern.lastIndex : at;
}
