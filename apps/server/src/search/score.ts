import type { Place } from "./analysis/term-vector.js";
import type { Occurrences } from "./occurrences.js";

/** What ranking knows of the user's contexts as a whole. */
export interface Weights {
  /** How much each group tells, by its rarity. */
  idf: readonly number[];
  /** Words of a field on average. */
  averages: readonly number[];
}

/** What an occurrence counts in the title, the URL, the content and the metadata, and how far a long field makes it count less. */
const fieldWeights = [5, 1, 1, 1] as const;
const lengthNorms = [0.75, 0.5, 0.75, 0.5] as const;
/** How many occurrences it takes for a word to count half of what it can. */
const saturation = 2.5;
/** The part of what is left to the best that words next to each other are worth. */
const nearShare = 0.2;
/** Past it words are not near. Positions. */
const nearMax = 8;

/**
 * How strongly a context holds the groups, from 0 to 1: BM25F (Robertson, Zaragoza and Taylor 2004), a sum over the groups of
 * idf × f / (f + k), f being the frequency weighted by field and field length, as the part of the sum of all idfs; and of what is then
 * left to 1 a share for neighbours in the query that are near each other.
 */
export function strengthOf(found: ReadonlyArray<Occurrences | undefined>, lengths: readonly number[], { idf, averages }: Weights): number {
  let reached = 0;
  let all = 0;
  let near = 0;
  let nearAll = 0;
  for (const [index, occurrences] of found.entries()) {
    const worth = idf[index] ?? 0;
    all += worth;
    if (occurrences) reached += worth * saturated(occurrences.counts, lengths, averages);
    if (index === 0) continue;
    const pairWorth = Math.min(worth, idf[index - 1] ?? 0);
    nearAll += pairWorth;
    const before = found[index - 1];
    if (occurrences && before) near += pairWorth * nearness(before.places, occurrences.places);
  }
  if (all === 0) return 0;
  const strength = reached / all;
  return nearAll === 0 ? strength : strength + ((1 - strength) * nearShare * near) / nearAll;
}

/** What a word counts that occurs so often in each field, from 0 to nearly 1: its frequency, weighted by field and field length, as f / (f + k). */
export function saturated(counts: ArrayLike<number>, lengths: readonly number[], averages: readonly number[]): number {
  let sum = 0;
  for (let field = 0; field < counts.length; field++) {
    const count = counts[field] ?? 0;
    if (count === 0) continue;
    const norm = lengthNorms[field] ?? 0;
    sum += ((fieldWeights[field] ?? 0) * count) / (1 - norm + (norm * (lengths[field] ?? 0)) / Math.max(averages[field] ?? 0, 1));
  }
  return sum / (sum + saturation);
}

/** 1 when somewhere `b` follows `a` at once, less the further they are apart, 0 when they are never near. */
function nearness(a: readonly Place[], b: readonly Place[]): number {
  let best = nearMax + 1;
  let next = 0;
  for (const place of a) {
    while (next < b.length && (b[next] ?? 0) < place) next++;
    const after = (b[next] ?? Number.POSITIVE_INFINITY) - place;
    const before = place - (b[next - 1] ?? Number.NEGATIVE_INFINITY) + 1;
    best = Math.min(best, Math.max(1, after), before);
    if (best === 1) break;
  }
  return best > nearMax ? 0 : 1 / best;
}
