/** Whole words that the rules would spoil. */
const exceptions: Readonly<Record<string, string>> = {
  skis: "ski",
  skies: "sky",
  idly: "idl",
  gently: "gentl",
  ugly: "ugli",
  early: "earli",
  only: "onli",
  singly: "singl",
  sky: "sky",
  news: "news",
  howe: "howe",
  atlas: "atlas",
  cosmos: "cosmos",
  bias: "bias",
  andes: "andes",
};
const afterStep1a = new Set(["evening", "inning", "outing", "canning", "herring", "earring", "proceed", "exceed", "succeed"]);
const regionPrefix = /^(?:gener|commun|arsen|past|univers|later|emerg|organ|inter)/;
const nonVowelAfterVowel = /[aeiouy][^aeiouy]/;

const step2: ReadonlyArray<readonly [string, string]> = [
  ["ization", "ize"],
  ["ational", "ate"],
  ["fulness", "ful"],
  ["ousness", "ous"],
  ["iveness", "ive"],
  ["tional", "tion"],
  ["biliti", "ble"],
  ["lessli", "less"],
  ["entli", "ent"],
  ["ation", "ate"],
  ["alism", "al"],
  ["aliti", "al"],
  ["ousli", "ous"],
  ["iviti", "ive"],
  ["fulli", "ful"],
  ["enci", "ence"],
  ["anci", "ance"],
  ["abli", "able"],
  ["izer", "ize"],
  ["ator", "ate"],
  ["alli", "al"],
  ["ogist", "og"],
  ["bli", "ble"],
  ["ogi", "og"],
  ["li", ""],
];
const step3: ReadonlyArray<readonly [string, string]> = [
  ["ational", "ate"],
  ["tional", "tion"],
  ["alize", "al"],
  ["icate", "ic"],
  ["iciti", "ic"],
  ["ative", ""],
  ["ical", "ic"],
  ["ness", ""],
  ["ful", ""],
];
const step4 = "ement ance ence able ible ment ant ent ism ate iti ous ive ize ion al er ic".split(" ");

/** The stem of an English word in lower case: Porter's second algorithm, as the Snowball project defines it. */
export function stemEnglish(word: string): string {
  if (word.length < 3) return word;
  const known = Object.hasOwn(exceptions, word) ? exceptions[word] : undefined;
  if (known !== undefined) return known;
  // A y that is a consonant is written Y until the end.
  let stem = word.replace(/^y/, "Y").replace(/([aeiouy])y/g, "$1Y");
  const r1 = regionPrefix.exec(stem)?.[0].length ?? afterNonVowel(stem, 0);
  const r2 = afterNonVowel(stem, r1);
  stem = plural(stem);
  if (afterStep1a.has(stem)) return stem;
  stem = verbEnding(stem, r1);
  if (/[^aeiouy][yY]$/.test(stem) && stem.length > 2) stem = `${stem.slice(0, -1)}i`;
  stem = replaceEnding(stem, step2, r1, r2);
  stem = replaceEnding(stem, step3, r1, r2);
  const ending = step4.find((candidate) => stem.endsWith(candidate));
  if (ending !== undefined && stem.length - ending.length >= r2 && (ending !== "ion" || /[st]ion$/.test(stem)))
    stem = stem.slice(0, -ending.length);
  if (stem.endsWith("e") && (stem.length - 1 >= r2 || (stem.length - 1 >= r1 && !endsShort(stem.slice(0, -1))))) stem = stem.slice(0, -1);
  else if (stem.endsWith("ll") && stem.length - 1 >= r2) stem = stem.slice(0, -1);
  return stem.replaceAll("Y", "y");
}

function afterNonVowel(stem: string, from: number): number {
  const found = nonVowelAfterVowel.exec(stem.slice(from));
  return found ? from + found.index + 2 : stem.length;
}

function plural(stem: string): string {
  if (stem.endsWith("sses")) return stem.slice(0, -2);
  if (/ie[sd]$/.test(stem)) return stem.slice(0, stem.length > 4 ? -2 : -1);
  if (/(?:us|ss)$/.test(stem)) return stem;
  return stem.endsWith("s") && /[aeiouy]/.test(stem.slice(0, -2)) ? stem.slice(0, -1) : stem;
}

function verbEnding(stem: string, r1: number): string {
  const eed = /eed(?:ly)?$/.exec(stem);
  if (eed) return eed.index >= r1 ? `${stem.slice(0, eed.index)}ee` : stem;
  const found = /(?:ed|edly|ing|ingly)$/.exec(stem);
  if (!found) return stem;
  const rest = stem.slice(0, found.index);
  // `dying` is of `die`.
  if (found[0] === "ing" && /^[^aeiouy][yY]$/.test(rest)) return `${rest[0] ?? ""}ie`;
  if (!/[aeiouy]/.test(rest)) return stem;
  if (/(?:at|bl|iz)$/.test(rest)) return `${rest}e`;
  if (/(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(rest)) return /^[aeo](?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(rest) ? rest : rest.slice(0, -1);
  return rest.length <= r1 && endsShort(rest) ? `${rest}e` : rest;
}

function replaceEnding(stem: string, endings: ReadonlyArray<readonly [string, string]>, r1: number, r2: number): string {
  const found = endings.find(([ending]) => stem.endsWith(ending));
  if (!found) return stem;
  const [ending, by] = found;
  const rest = stem.slice(0, -ending.length);
  if (rest.length < r1) return stem;
  if (ending === "ogi" && !rest.endsWith("l")) return stem;
  if (ending === "li" && !/[cdeghkmnrt]$/.test(rest)) return stem;
  if (ending === "ative" && rest.length < r2) return stem;
  return rest + by;
}

/** Whether a word ends in a short syllable, as `trap` and `past` do. */
function endsShort(stem: string): boolean {
  return /[^aeiouy][aeiouy][^aeiouywxY]$/.test(stem) || /^[aeiouy][^aeiouy]$/.test(stem) || stem === "past";
}
