import { decodeVector, type FoundTerm, termsOfVector } from "./analysis/read-vector.js";
import { fieldCount, fieldOf, fields, hashShift } from "./analysis/term-vector.js";
import { hashOf } from "./analysis/term-hash.js";
import type { QueryGroup } from "./query-plan.js";
import { type Ranked, rounded } from "./ranking.js";
import { saturated } from "./score.js";
import type { Row, SearchSnapshot } from "./search-engine.js";

/** Contexts that are ranked again, the best, and of how many at least. Fewer tell nothing of what is common. */
const poolMax = 100;
const poolMin = 20;
/** The best of these, which are taken to be what is looked for, as far as they are half as good as the first. */
const modelsMax = 8;
const modelPart = 0.5;
/** Words of theirs that are looked at, and how many of these count. */
const wordsLookedMax = 300;
const wordsMax = 20;
/** The part of what is left to the best that the words are worth which the best have in common. */
const share = 0.4;
/** Vectors between which others are served. */
const slice = 25;

export interface FeedbackInput {
  /** What is looked for; its words count already. */
  groups: readonly QueryGroup[];
  /** Words of a field on average. */
  averages: readonly number[];
}

/** A word of the models. */
interface Word {
  hash: number;
  weight: number;
}

/** A context of the pool, with those of the words that it has. */
interface Read {
  lengths: readonly number[];
  found: ReadonlyMap<number, FoundTerm>;
}

/**
 * Pseudo-relevance feedback (Rocchio 1971; weights of words as in the relevance models of Lavrenko and Croft 2001, with idf among the pool
 * and the square of how good a model is): the best contexts of an answer tell by which other words its subject is spoken of, and of the first
 * hundred those that have these words, too, are better. A question and the pages that answer it seldom have all words in common.
 *
 * @param ranked in order @returns the same contexts, in the same order, as relevant as they are then
 */
export async function withFeedback(
  snapshot: SearchSnapshot,
  ranked: readonly Ranked[],
  { groups, averages }: FeedbackInput,
): Promise<Ranked[]> {
  if (ranked.length < poolMin) return [...ranked];
  const pool = ranked.slice(0, poolMax);
  const candidates = await snapshot.candidates(
    pool.map(({ row }) => row),
    "all",
  );
  const vectors = new Map(candidates.map(({ row, vector }) => [row, vector]));
  const best = (pool[0]?.relevance ?? 0) * modelPart;
  const models = pool.slice(0, modelsMax).filter(({ relevance }) => relevance >= best);
  const words = await wordsOf(snapshot, models, { vectors, known: storedHashesOf(groups) });
  const wanted = words.map(({ hash }) => hash).sort((a, b) => a - b);
  const read = new Map<Row, Read>();
  for (const [row, vector] of vectors) {
    read.set(row, decodeVector(vector, wanted));
    if (read.size % slice === 0) await snapshot.breathe?.();
  }
  const telling = tellingOf(words, [...read.values()]);
  return ranked.map((one) => {
    const { relevance } = one;
    const gain = share * partOf(telling, read.get(one.row), averages);
    // A title of the same words is the best match there is.
    return relevance === 1 || gain === 0 ? one : { ...one, relevance: rounded(relevance + (0.999 - relevance) * gain) };
  });
}

/** How much of the words a context has, from 0 to 1. */
function partOf(words: readonly Word[], read: Read | undefined, averages: readonly number[]): number {
  if (!read) return 0;
  return words.reduce((sum, { hash, weight }) => {
    const term = read.found.get(hash);
    return term ? sum + weight * saturated(countsOf(term), read.lengths, averages) : sum;
  }, 0);
}

/** Hashes of the words of groups, and of the characters of those whose script puts no spaces between words, without the bits that vectors do not store. */
function storedHashesOf(groups: readonly QueryGroup[]): Set<number> {
  const slots = groups.flatMap(({ sequences }) => sequences.flat());
  const characters = slots.flatMap(({ isDense, terms }) =>
    isDense ? terms.flatMap((term) => Array.from(term, (character) => hashOf(character))) : [],
  );
  return new Set([...slots.flatMap(({ hashes }) => hashes), ...characters].map((hash) => hash >>> hashShift));
}

/** Words of the models' titles and contents but those that are known, by what share of each they are. */
async function wordsOf(
  snapshot: SearchSnapshot,
  models: readonly Ranked[],
  { vectors, known }: { vectors: ReadonlyMap<Row, Uint8Array>; known: ReadonlySet<number> },
): Promise<Word[]> {
  const weights = new Map<number, number>();
  for (const { row, relevance } of models) {
    const vector = vectors.get(row);
    if (!vector) continue;
    await snapshot.breathe?.();
    const { lengths } = decodeVector(vector, []);
    const length = Math.max(1, (lengths[fields.title] ?? 0) + (lengths[fields.content] ?? 0));
    for (const { hash, term } of termsOfVector(vector)) {
      const counts = countsOf(term);
      const count = (counts[fields.title] ?? 0) + (counts[fields.content] ?? 0);
      if (count > 0 && !known.has(hash >>> hashShift)) weights.set(hash, (weights.get(hash) ?? 0) + (relevance ** 2 * count) / length);
    }
  }
  const words = [...weights].map(([hash, weight]) => ({ hash, weight }));
  return words.sort((a, b) => b.weight - a.weight || a.hash - b.hash).slice(0, wordsLookedMax);
}

/** Those that tell most of contexts of the pool from others; their weights come to 1. */
function tellingOf(words: readonly Word[], pool: readonly Read[]): Word[] {
  const telling = words.flatMap(({ hash, weight }) => {
    const frequency = pool.reduce((count, { found }) => count + (found.has(hash) ? 1 : 0), 0);
    // What only one has leads to no other, and what most have tells none from another.
    return frequency < 2 || frequency > pool.length / 2
      ? []
      : [{ hash, weight: weight * Math.log(1 + (pool.length - frequency + 0.5) / (frequency + 0.5)) }];
  });
  const best = telling.sort((a, b) => b.weight - a.weight || a.hash - b.hash).slice(0, wordsMax);
  const all = best.reduce((sum, { weight }) => sum + weight, 0);
  return all === 0 ? [] : best.map(({ hash, weight }) => ({ hash, weight: weight / all }));
}

/** Occurrences by field. What is not told by its place stands further on, and most of a context is its content. */
function countsOf({ count, places }: FoundTerm): number[] {
  const counts: number[] = Array<number>(fieldCount).fill(0);
  counts[fields.content] = count - places.length;
  for (const place of places) counts[fieldOf(place)] = (counts[fieldOf(place)] ?? 0) + 1;
  return counts;
}
