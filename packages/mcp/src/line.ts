/**
 * A title, an address or a snippet as one line of at most `charsMax` UTF-16 units: breaks, control and invisible characters become blanks,
 * so that nothing in it looks like a line of the answer's own; what is longer ends with an ellipsis.
 */
export function line(text: string, charsMax: number): string {
  const flat = text.replaceAll(/[\s\p{C}]+/gu, " ").trim();
  return flat.length <= charsMax ? flat : `${cut(flat, charsMax - 1)}…`;
}

/** The start of a text, at most `charsMax` UTF-16 units, never half of a surrogate pair. */
export function cut(text: string, charsMax: number): string {
  const last = text.charCodeAt(charsMax - 1);
  const splits = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, splits ? charsMax - 1 : charsMax);
}
