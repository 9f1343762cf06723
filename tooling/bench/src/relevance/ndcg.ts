/** Places of a list that are judged. */
export const depth = 10;

/** nDCG of the first ten of a list (Järvelin and Kekäläinen 2002): gain over log2 of place + 1, as a part of the best that is possible. */
export function ndcg(ids: readonly string[], judged: Readonly<Record<string, number>>): number {
  const best = Object.values(judged)
    .filter((gain) => gain > 0)
    .sort((a, b) => b - a);
  const ideal = dcg(best);
  return ideal === 0 ? 0 : dcg(ids.map((id) => judged[id] ?? 0)) / ideal;
}

function dcg(gains: readonly number[]): number {
  return gains.slice(0, depth).reduce((sum, gain, place) => sum + gain / Math.log2(place + 2), 0);
}
