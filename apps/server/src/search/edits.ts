/** Letters by which a word of each script may be meant to be written, folded. */
const alphabets: ReadonlyArray<readonly [RegExp, string]> = [
  [/^[a-z]+$/, "abcdefghijklmnopqrstuvwxyz"],
  [/^[а-я]+$/, "абвгдежзийклмнопрстуфхцчшщъыьэюя"],
  [/^[α-ω]+$/, "αβγδεζηθικλμνξοπρστυφχψω"],
];
/** Shorter words have too many neighbours, and longer ones are no words. */
const lettersMin = 4;
const lettersMax = 24;

/**
 * Words that one typing error makes into `word`, which is folded: two letters the wrong way round, a letter too few, a wrong one, one too
 * many, the likeliest kind first. None for words of digits, of other scripts, or too short to tell.
 */
export function edits(word: string): string[] {
  const letters = alphabets.find(([pattern]) => pattern.test(word))?.[1];
  if (letters === undefined || word.length < lettersMin || word.length > lettersMax) return [];
  const found = new Set<string>();
  const cut = (from: number, by: string, to: number): void => void found.add(word.slice(0, from) + by + word.slice(to));
  for (let at = 0; at + 1 < word.length; at++) cut(at, word.charAt(at + 1) + word.charAt(at), at + 2);
  for (let at = 0; at <= word.length; at++) for (const letter of letters) cut(at, letter, at);
  for (let at = 0; at < word.length; at++) for (const letter of letters) cut(at, letter, at + 1);
  for (let at = 0; at < word.length; at++) cut(at, "", at + 1);
  found.delete(word);
  return [...found];
}
