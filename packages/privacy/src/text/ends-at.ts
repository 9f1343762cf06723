/** Whether what a sticky pattern looks behind for ends at a place: the pattern is read backwards from there, not from each place before it. */
export function endsAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}
