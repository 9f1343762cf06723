/** Letters that Unicode does not decompose, as they are typed without them. */
const letters: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ħ: "h",
  ı: "i",
  ŋ: "n",
  ς: "σ",
  ё: "е",
};
const special = /[ßæœøłđðþħıŋςё]/g;
/** Accents and the like. Vowel signs of other scripts are letters there and stay; й is a letter of its own. */
const accents = /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u064b-\u065f\u0670]/g;
const shortI = /и\u0306/g;
/** What compatibility forms leave that is no letter or digit: the brackets of ⑴, the points of ㏂, the dot of ŀ. */
const signs = /[^\p{L}\p{N}\p{M}\p{Co}]/gu;

/** A word as it is compared: lower case, without accents, width and ligatures. `Éclair` becomes `eclair`, `Straße` `strasse`. */
export function foldWord(word: string): string {
  const lower = word.toLowerCase();
  if (isPlain(lower)) return lower;
  return lower
    .normalize("NFKD")
    .replace(shortI, "й")
    .replace(accents, "")
    .normalize("NFC")
    .toLowerCase()
    .replace(special, replaced)
    .replace(signs, "");
}

const replaced = (letter: string): string => letters[letter] ?? letter;

/** Whether a word in small letters has nothing to fold: of ASCII, Russian letters, kana, Han characters and Hangul syllables only. */
function isPlain(word: string): boolean {
  for (let at = 0; at < word.length; at++) {
    const unit = word.charCodeAt(at);
    if (unit < 0x80 || (unit >= 0x4e00 && unit <= 0x9fff) || (unit >= 0x3041 && unit <= 0x3096) || (unit >= 0x30a1 && unit <= 0x30fa))
      continue;
    if ((unit < 0x430 || unit > 0x44f) && (unit < 0xac00 || unit > 0xd7a3)) return false;
  }
  return true;
}

/** Whether `word` has only characters of ASCII. */
export function isAscii(word: string): boolean {
  for (let at = 0; at < word.length; at++) if (word.charCodeAt(at) > 127) return false;
  return true;
}
