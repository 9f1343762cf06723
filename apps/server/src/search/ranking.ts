import type { Language } from "./analysis/languages.js";
import { readTerms } from "./analysis/term-stream.js";
import { impactSteps, impactTerm } from "./index-terms.js";
import type { QueryGroup } from "./query-plan.js";
import type { Candidate, IndexTerm, Row } from "./search-index.js";
import { decodeTerms, type DocumentWord, hashOf, type StoredTerms, type WordLists } from "./stored-terms.js";

/** A context in the order of an answer. */
export interface Ranked {
  row: Row;
  capturedAt: number;
  /** 0 to 1. */
  relevance: number;
  /** Of the context's text. */
  language: Language;
}

export interface RankingInput {
  query: string;
  groups: readonly QueryGroup[];
  /** How much each group tells: see {@link idf}. */
  weights: readonly number[];
}

/** BM25F with its usual constants (Robertson and Zaragoza 2009); an occurrence in the title counts as four. */
const [k1, b] = [1.2, 0.75];
const fieldWeights: readonly number[] = [4, 1, 1];
/** The place of the content among the fields. */
const content = 2;
/** Share of the missing score that adjacent words can add, and the distance in words past which they add nothing. */
const nearShare = 0.2;
const nearMax = 8;
/** Occurrences of a word that are looked at. */
const occurrencesMax = 100;
/** Relevances closer than this are equal, and the newer context comes first. */
const steps = 1_000;

/** How much a word tells that `frequency` of `size` contexts have (Robertson and Spärck Jones, in the form of BM25 that is never negative). */
export function idf(frequency: number, size: number): number {
  const all = Math.max(size, frequency);
  return Math.log(1 + (all - frequency + 0.5) / (frequency + 0.5));
}

/**
 * Ranks the candidates of a query by their stored terms, best first: the part of all that the words tell which a context holds (BM25F),
 * and a share for neighbours in the query that are near each other. With three groups and more, contexts that have the words which the
 * best have in common gain too (pseudo-relevance feedback). A title of the same words is the best match there is.
 */
export function rankCandidates(candidates: readonly Candidate[], { query, groups, weights }: RankingInput): Ranked[] {
  const read = candidates.map((candidate) => ({ candidate, terms: decodeTerms(candidate.terms) }));
  const averages = usualLengths.map((usual, field) =>
    averageLength(
      read.map(({ terms }) => terms.lengths[field] ?? 0),
      usual,
    ),
  );
  const isTitle = titleTest(query);
  const wanted = groups.map(({ phrases }, index) => ({
    phrases: phrases.map((phrase) => phrase.map(hashOf)),
    weight: weights[index] ?? 0,
  }));
  const scored = read.map(({ candidate, terms }): Scored => {
    const score = isTitle(terms) ? 1 : Math.min(0.999, strength(terms, wanted, averages));
    return { candidate, terms, score };
  });
  const isTopic = groups.length >= 3 && !groups.some(({ isRequired }) => isRequired);
  if (isTopic) addFeedback(scored, wanted, averages);
  const ranked = scored.map(({ candidate: { row, capturedAt }, terms, score }) => ({
    row,
    capturedAt,
    language: terms.language,
    relevance: Math.max(1, Math.round(score * steps)) / steps,
  }));
  return ranked.sort((one, other) => other.relevance - one.relevance || other.capturedAt - one.capturedAt || other.row - one.row);
}

/** Words in the title, in URL and metadata, and in the content of a usual page. */
const usualLengths = [6, 12, 300];

/**
 * Average length of a field. The candidates stand for all contexts, which would cost a look at each; a usual page among them keeps a
 * relevance from meaning something else where there are few.
 */
function averageLength(lengths: readonly number[], usual: number): number {
  return (lengths.reduce((sum, each) => sum + each, 0) + usual) / (lengths.length + 1);
}

/** What a word counts at a step of its impact, see {@link impactTerms}; at no step it counts as {@link plainImpact}. */
export const impactAt = (step: number): number => impactMin + ((step - 0.5) * (1 - impactMin)) / impactSteps;
export const plainImpact = 0.4;
const impactMin = 2 / 3;

/**
 * The words of a context that count for two thirds or more there, as terms that name their part in a few steps. An index can rank by them
 * without knowing any other context, where BM25 of a whole table would tell of contexts that a key may not see.
 */
export function impactTerms(words: Iterable<DocumentWord>, { title, meta, content }: WordLists): IndexTerm[] {
  for (const [field, occurrences] of [title, meta, content].entries()) {
    const each = weightedFrequency(field, 1, occurrences.length, usualLengths[field]);
    for (const word of occurrences) word.frequency += each;
  }
  const impacts: IndexTerm[] = [];
  for (const { term, frequency } of words) {
    const step = Math.ceil(((frequency / (frequency + k1) - impactMin) / (1 - impactMin)) * impactSteps);
    if (step > 0 && term !== "") impacts.push(impactTerm(step, term));
  }
  return impacts;
}

function titleTest(query: string): (terms: StoredTerms) => boolean {
  const byLanguage = new Map<Language, number[]>();
  return ({ language, title }) => {
    let wanted = byLanguage.get(language);
    if (!wanted) {
      const hashes: number[] = [];
      readTerms(query, language, { term: (term) => void hashes.push(hashOf(term)), form: () => {} });
      byLanguage.set(language, (wanted = hashes));
    }
    return wanted.length > 0 && wanted.length === title.length && wanted.every((hash, at) => hash === title[at]);
  };
}

/** A group of a query: hashes of its phrases, and how much it tells. */
interface WantedGroup {
  phrases: ReadonlyArray<readonly number[]>;
  weight: number;
}

function strength(terms: StoredTerms, wanted: readonly WantedGroup[], averages: readonly number[]): number {
  const fields = [terms.title, terms.meta, terms.content];
  let [reached, all, near, nearAll] = [0, 0, 0, 0];
  let before: { places: number[][]; weight: number } | undefined;
  for (const { phrases, weight } of wanted) {
    const places = fields.map((field) => placesOf(phrases, field));
    const counts = places.map(({ length }): number => length);
    // Further forms have no field; most of a context is its content.
    if (!counts.some((count) => count > 0) && placesOf(phrases, terms.forms).length > 0) counts[content] = 1;
    all += weight;
    reached += weight * saturated(counts, terms.lengths, averages);
    if (before) {
      const pairWeight = Math.min(weight, before.weight);
      nearAll += pairWeight;
      near += pairWeight * Math.max(...before.places.map((earlier, field) => nearness(earlier, places[field] ?? [])));
    }
    before = { places, weight };
  }
  if (all === 0) return 0;
  const matched = reached / all;
  return nearAll === 0 ? matched : matched + ((1 - matched) * nearShare * near) / nearAll;
}

/** What a word counts that occurs so often in each field, from 0 to nearly 1. */
function saturated(counts: readonly number[], lengths: readonly number[], averages: readonly number[]): number {
  let frequency = 0;
  for (const [field, count] of counts.entries())
    if (count > 0) frequency += weightedFrequency(field, count, lengths[field], averages[field]);
  return frequency / (frequency + k1);
}

function weightedFrequency(field: number, count: number, length = 0, average = 1): number {
  return ((fieldWeights[field] ?? 1) * count) / (1 - b + (b * length) / average);
}

/** Where any of the phrases stands in a field, ascending. */
function placesOf(phrases: WantedGroup["phrases"], field: Uint16Array): number[] {
  const places: number[] = [];
  for (const phrase of phrases) {
    const [first = 0] = phrase;
    for (let at = field.indexOf(first); at >= 0 && places.length < occurrencesMax; at = field.indexOf(first, at + 1))
      if (phrase.every((hash, index) => field[at + index] === hash)) places.push(at);
  }
  return phrases.length > 1 ? places.sort((one, other) => one - other) : places;
}

/** 1 when somewhere `after` follows `before` at once, less the further they are apart in either order, 0 when they are never near. */
function nearness(before: readonly number[], after: readonly number[]): number {
  let best = nearMax + 1;
  let next = 0;
  for (const place of before) {
    while (next < after.length && (after[next] ?? 0) < place) next++;
    const [following = Infinity, preceding = -Infinity] = [after[next], after[next - 1]];
    best = Math.min(best, Math.max(1, following - place), place - preceding + 1);
    if (best === 1) break;
  }
  return best > nearMax ? 0 : 1 / best;
}

/** Candidates that tell which words a subject is spoken of by, those that are half as good as the best among them. */
const modelsMax = 8;
const modelPart = 0.5;
/** Fewer candidates tell nothing of what is common. */
const poolMin = 20;
/** Words of the models that are looked at, and how many of them count. */
const wordsLookedMax = 150;
const wordsMax = 20;
/** The part of what is left to 1 that these words are worth. */
const feedbackShare = 0.4;

interface Scored {
  candidate: Candidate;
  terms: StoredTerms;
  score: number;
}

/** Raises the scores of candidates that have the words which the best have in common (Rocchio 1971; Lavrenko and Croft 2001). */
function addFeedback(scored: readonly Scored[], wanted: readonly WantedGroup[], averages: readonly number[]): void {
  if (scored.length < poolMin) return;
  const known = new Set([0, ...wanted.flatMap(({ phrases }) => phrases.flat())]);
  const best = scored.toSorted((one, other) => other.score - one.score).slice(0, modelsMax);
  const models = best.filter(({ score }) => score >= modelPart * (best[0]?.score ?? 0));
  const shares = new Map<number, number>();
  for (const { terms, score } of models) {
    const share = score ** 2 / (terms.lengths[0] + terms.lengths[content] + 1);
    for (const field of [terms.title, terms.content])
      for (const hash of field) if (!known.has(hash)) shares.set(hash, (shares.get(hash) ?? 0) + share);
  }
  const least = Float64Array.from(shares.values()).sort().at(-wordsLookedMax) ?? 0;
  const looked = [...shares].filter(([, share]) => share >= least).slice(0, wordsLookedMax);
  // The place in `looked` of each hash, from 1 on.
  const indexes = new Uint8Array(0x10000);
  for (const [index, [hash]] of looked.entries()) indexes[hash] = index + 1;
  // How often title and content of each candidate have each of them; all other words are counted together at 0.
  const width = looked.length + 1;
  const counts = new Uint16Array(2 * scored.length * width);
  for (const [at, { terms }] of scored.entries()) {
    countWords(terms.title, indexes, counts.subarray(2 * at * width));
    countWords(terms.content, indexes, counts.subarray((2 * at + 1) * width));
  }
  const countsOf = (at: number, index: number) => [counts[2 * at * width + index] ?? 0, 0, counts[(2 * at + 1) * width + index] ?? 0];
  const telling = looked
    .map(([, share], at) => {
      const index = at + 1;
      let frequency = 0;
      for (let first = index; first < counts.length; first += 2 * width) if (counts[first] || counts[first + width]) frequency++;
      return { index, frequency, weight: share * idf(frequency, scored.length) };
    })
    // What only one has leads to no other, and what most have tells none from another.
    .filter(({ frequency }) => frequency > 1 && frequency <= scored.length / 2)
    .sort((one, other) => other.weight - one.weight)
    .slice(0, wordsMax);
  const all = telling.reduce((sum, { weight }) => sum + weight, 0);
  if (all === 0) return;
  for (const [at, each] of scored.entries()) {
    const held = telling.reduce((sum, { index, weight }) => sum + weight * saturated(countsOf(at, index), each.terms.lengths, averages), 0);
    if (each.score < 1) each.score += ((0.999 - each.score) * feedbackShare * held) / all;
  }
}

function countWords(field: Uint16Array, indexes: Uint8Array, counts: Uint16Array): void {
  for (let at = 0; at < field.length; at++) {
    const index = indexes[field[at] ?? 0] ?? 0;
    counts[index] = (counts[index] ?? 0) + 1;
  }
}
