const isWordPattern = /[\p{L}\p{N}\p{Co}\p{M}]/u;

/** Classes of UTF-16 units, found once each: 0 not yet looked at, 1 part of a word, 2 not. */
const classes = new Uint8Array(0x10000);

/** Whether the unit at `at` belongs to a word; for the halves of a surrogate pair, whether its character does. */
export function isWordUnit(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  if (unit >= 0xd800 && unit <= 0xdfff)
    return isWordPattern.test(String.fromCodePoint(text.codePointAt(unit >= 0xdc00 && at > 0 ? at - 1 : at) ?? 0));
  const known = classes[unit];
  if (known) return known === 1;
  const isWord = isWordPattern.test(String.fromCharCode(unit));
  classes[unit] = isWord ? 1 : 2;
  return isWord;
}

/** The end of the word that begins at `start`. */
export function wordEnd(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length && isWordUnit(text, end)) end++;
  return end;
}
