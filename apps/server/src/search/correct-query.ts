import { foldWord } from "./analysis/fold.js";
import type { Language } from "./analysis/languages.js";
import { wordTermsIn } from "./analysis/term-stream.js";
import { wordsOf } from "./analysis/term-stream.js";
import { allOf, anyOf, wordTerm } from "./index-terms.js";
import { indexedTextOf } from "./plain-text.js";
import { typographicQuotes } from "./parse-query.js";
import type { QueryGroup } from "./query-plan.js";
import type { Match, SearchIndex } from "./search-index.js";

/** Letters by which a word of each script may be meant to be written, folded. */
const alphabets: ReadonlyArray<readonly [RegExp, string]> = [
  [/^[a-z]+$/, "abcdefghijklmnopqrstuvwxyz"],
  [/^[а-я]+$/, "абвгдежзийклмнопрстуфхцчшщъыьэюя"],
  [/^[α-ω]+$/, "αβγδεζηθικλμνξοπρστυφχψω"],
];
/** Shorter words have too many neighbours, and longer ones are no words. */
const [lettersMin, lettersMax] = [4, 24];
/** Letters from which on a word is completed: fewer begin too many words. */
const typedMin = 3;
/** Unknown words of a query that are looked at. */
const wordsMax = 3;
/** What tells which of two corrections is in more contexts. */
const countMax = 1_000;
/** Corrections that are looked for in texts, texts looked through for each, and how far. */
const candidatesMax = 3;
const textsMax = 5;
const textUnitsMax = 50_000;
/** Split a list of corrections into this many queries. */
const partsMax = 8;

export interface Uncorrected {
  query: string;
  /** Groups that none of the user's contexts has. */
  unknown: readonly QueryGroup[];
  languages: readonly Language[];
  /** What every context must match that the key may see. */
  visible: readonly Match[];
  /** Whether the last word may be half typed. */
  isTyping: boolean;
}

/**
 * The query with one unknown word replaced by a word that the user's visible contexts have: one that begins with what is typed so far, or
 * else the one that most of them have of those that are one letter away. Undefined when there is none.
 */
export async function correctQuery(
  index: SearchIndex,
  { query, unknown, languages, visible, isTyping }: Uncorrected,
): Promise<string | undefined> {
  const typed = isTyping && /[\p{L}\p{N}]$/u.test(query) ? (wordsOf(query).at(-1) ?? "") : "";
  if (typed.length >= typedMin && unknown.some(({ word }) => word === typed)) {
    const begun = allOf([{ prefix: wordTerm(typed) }, ...visible]);
    const text = await mostFrequent(index, [begun], (written) => written.startsWith(typed));
    if (text !== undefined) return replaceWord(query, typed, text);
  }
  const lookups = languages.map((language) => wordTermsIn(language));
  for (const { word = "" } of unknown.slice(0, wordsMax)) {
    const near = new Set(edits(word));
    const matches = new Map<string, Match>();
    for (const text of near) {
      const terms = [...new Set(lookups.map((termsOf) => termsOf(text).term))];
      matches.set(terms.join(" "), allOf([anyOf(terms.map(wordTerm)), ...visible]));
    }
    const there = await existing(index, [...matches.values()]);
    const text = await mostFrequent(index, there, (written) => near.has(written));
    const corrected = text === undefined ? undefined : replaceWord(query, word, text);
    if (corrected !== undefined) return corrected;
  }
  return undefined;
}

/**
 * Words that one typing error makes into `word`, which is folded: two letters the wrong way round, a letter too few, a wrong one, one too
 * many, the likeliest kind first. None for words of digits, of other scripts, or too short to tell.
 */
function edits(word: string): string[] {
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

/** Those of which there is a context. Most have none, so many are asked for at once, and only where one is found each by itself. */
async function existing(index: SearchIndex, matches: readonly Match[], parts = partsMax): Promise<Match[]> {
  const size = Math.max(1, Math.ceil(matches.length / parts));
  const groups = Array.from({ length: Math.ceil(matches.length / size) }, (_, at) => matches.slice(at * size, (at + 1) * size));
  if (groups.length === 0) return [];
  const counts = await index.count(groups.map(anyOf), 1);
  const found: Match[] = [];
  for (const [at, group] of groups.entries())
    if ((counts[at]?.count ?? 0) > 0) found.push(...(group.length === 1 ? group : await existing(index, group)));
  return found;
}

/**
 * The correction that most contexts have, as it is written there: words of the same stem are many, and only one that the user
 * has read is worth proposing.
 */
async function mostFrequent(
  index: SearchIndex,
  matches: readonly Match[],
  isNear: (written: string) => boolean,
): Promise<string | undefined> {
  const counts = await index.count(matches, countMax);
  const byCount = matches.map((match, at) => ({ match, count: counts[at]?.count ?? 0 })).sort((one, other) => other.count - one.count);
  for (const { match } of byCount.slice(0, candidatesMax)) {
    const { rows } = await index.rank({ match, words: [], limit: textsMax });
    const words = new Map<string, number>();
    for await (const { title, url, source } of index.page(rows.slice(0, textsMax)))
      for (const written of wordsOf(`${title}\n${indexedTextOf(source).slice(0, textUnitsMax)}\n${url}`))
        if (isNear(written)) words.set(written, (words.get(written) ?? 0) + 1);
    const [best] = [...words].sort(([, one], [, other]) => other - one);
    if (best) return best[0];
  }
  return undefined;
}

/** The query with a word replaced wherever it is typed outside quotes, in whatever case; undefined when it is not found as typed. */
function replaceWord(query: string, word: string, by: string): string | undefined {
  let isFound = false;
  const corrected = query.replace(typographicQuotes, '"').replace(/"[^"]*"|[\p{L}\p{N}\p{M}\p{Co}]+/gu, (typed) => {
    if (typed.startsWith('"') || foldWord(typed) !== word) return typed;
    isFound = true;
    return by;
  });
  return isFound ? corrected : undefined;
}
