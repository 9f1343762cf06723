/** Runs of letters and digits with their combining marks: what both engines index as words. */
const wordPattern = /[\p{L}\p{N}\p{Co}][\p{L}\p{N}\p{Co}\p{M}]*/gu;

/** The words of `text` in order, in lower case and NFC. Anything that is no letter or digit separates words. */
export function wordsOf(text: string): string[] {
  return text.normalize("NFC").toLowerCase().match(wordPattern) ?? [];
}

/**
 * `word` without accents and case, as the index compares it: `Éclair` becomes `eclair`.
 * Letters that Unicode does not decompose (`ø`, `ß`) stay.
 */
export function foldWord(word: string): string {
  return isAscii(word)
    ? word.toLowerCase()
    : word
        .normalize("NFD")
        .replace(/[\u0300-\u036f]/g, "")
        .toLowerCase()
        .normalize("NFC");
}

function isAscii(word: string): boolean {
  for (let at = 0; at < word.length; at++) if (word.charCodeAt(at) > 127) return false;
  return true;
}
