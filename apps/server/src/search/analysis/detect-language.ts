import { foldWord } from "./fold.js";
import { defaultLanguage, type Language, languages, stopWords } from "./languages.js";

/** Looked at of a long text, from each of two places. UTF-16 units. */
const sampleUnits = 300;
const wordPattern = /[\p{L}\p{M}]+/gu;
/** What a declared language counts: as much as a few words, so that it decides on titles and no more. */
const declaredWeight = 2;

/** Letters and endings that some of the languages have and others have not. Each counts a part of a word. */
const letters: ReadonlyArray<readonly [string, ReadonlyArray<Language>]> = [
  ["ß", ["de"]],
  ["äö", ["de", "sv"]],
  ["ü", ["de"]],
  ["å", ["sv"]],
  ["ñ¿¡", ["es"]],
  ["ãõ", ["pt"]],
  ["ç", ["fr", "pt"]],
  ["œùûî", ["fr"]],
  ["èà", ["fr", "it"]],
  ["ìò", ["it"]],
  ["êâô", ["fr", "pt"]],
  ["íóúá", ["es", "pt"]],
  ["é", ["fr", "es", "pt"]],
  ["ë", ["nl"]],
];
const byLetter = new Map(letters.flatMap(([all, of]) => Array.from(all, (letter) => [letter, of] as const)));
const byEnding = new Map<string, Language>(
  Object.entries({
    de: "ung ich isch keit heit chen lich eit",
    fr: "eux eau ent eur oir ait que aux tion",
    es: "ción dad ado ida ión ones oso iento",
    pt: "ção ões ade ado inho agem mento",
    it: "zione tà ità ato iere elli etto oni ogni",
    nl: "ijk oor aan ijd aal eid ing oen",
    sv: "het lig ning arna erna ade era",
    en: "tion ing ness ight ould ous ly ment",
  }).flatMap(([language, endings]) => endings.split(" ").map((ending) => [ending, language as Language] as const)),
);
const letterWeight = 0.4;
const endingWeight = 0.25;

/** Languages that have a word among their stop words. */
const stopLanguages = new Map<string, Language[]>();
for (const language of languages)
  for (const word of stopWords[language]) stopLanguages.set(word, [...(stopLanguages.get(word) ?? []), language]);

/** What a word counts for the language at a place among {@link languages}. */
interface Clue {
  place: number;
  weight: number;
}

/** What words say, by their spelling. */
const knownClues = new Map<string, readonly Clue[]>();
const knownMax = 10_000;

function cluesOf(word: string): readonly Clue[] {
  const known = knownClues.get(word);
  if (known) return known;
  const found = findClues(word);
  if (word.length > 12) return found;
  if (knownClues.size >= knownMax) knownClues.clear();
  knownClues.set(word, found);
  return found;
}

/**
 * The language of a page, by the stop words, letters and endings of its title and its text as one; `declared` is what the page says of
 * itself (`de-CH`). {@link defaultLanguage} when nothing tells.
 */
export function detectPageLanguage(title: string, text: string, declared: string): Language {
  const scores = new Float64Array(languages.length);
  const named = languages.findIndex((language) => language === declared.toLowerCase().split("-")[0]);
  if (named >= 0) scores[named] = declaredWeight;
  for (const [word] of sampleOf(`${title}\n`, text).toLowerCase().matchAll(wordPattern))
    for (const { place, weight } of cluesOf(word)) scores[place] = (scores[place] ?? 0) + weight;
  let best = languages.indexOf(defaultLanguage);
  for (let place = 0; place < scores.length; place++) if ((scores[place] ?? 0) > (scores[best] ?? 0) + 1e-9) best = place;
  return languages[best] ?? defaultLanguage;
}

/** The beginning of both as one, and as much from the middle: what comes first is often not what the page is about. */
function sampleOf(head: string, text: string): string {
  const length = head.length + text.length;
  if (length <= 2 * sampleUnits) return head + text;
  const middle = (length >> 1) - head.length;
  // One text of both would be as long as the page.
  const first = (head.slice(0, sampleUnits) + text.slice(0, sampleUnits)).slice(0, sampleUnits);
  const second = middle >= 0 ? text.slice(middle, middle + sampleUnits) : (head + text).slice(length >> 1, (length >> 1) + sampleUnits);
  return `${first} ${second}`;
}

function findClues(word: string): Clue[] {
  const found: Clue[] = [];
  const add = (of: readonly Language[], weight: number): void =>
    void found.push(...of.map((language) => ({ place: languages.indexOf(language), weight: weight / of.length })));
  const first = word.charCodeAt(0);
  if (first >= 0x400 && first < 0x530) {
    add(["ru"], 1);
    return found;
  }
  add(stopLanguages.get(foldWord(word)) ?? [], 1);
  for (let length = 2; length <= 5 && length < word.length; length++) {
    const ending = byEnding.get(word.slice(-length));
    if (ending) add([ending], endingWeight);
  }
  for (const letter of word) add(byLetter.get(letter) ?? [], letterWeight);
  return found;
}
