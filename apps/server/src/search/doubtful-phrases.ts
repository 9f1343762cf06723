import { decodeVector } from "./analysis/read-vector.js";
import { bestSpan } from "./best-span.js";
import { textsReadMax, textUnitsReadMax } from "./bounds.js";
import type { Doubt, Ranked } from "./ranking.js";
import type { Row, SearchSnapshot } from "./search-engine.js";

/**
 * Looks in the texts of the best that are in doubt whether words stand next to each other there, and leaves out what is not wanted.
 * What is in doubt after that keeps its `doubts`: reading is bounded.
 */
export async function withoutDoubts(snapshot: SearchSnapshot, ranked: readonly Ranked[]): Promise<Ranked[]> {
  const doubtful = new Map(ranked.filter(({ doubts }) => doubts !== undefined).map((each) => [each.row, each] as const));
  if (doubtful.size === 0) return [...ranked];
  const told = new Map<Row, boolean>();
  let units = 0;
  for await (const { row, text, vector } of snapshot.page([...doubtful.keys()].slice(0, textsReadMax))) {
    const { language } = decodeVector(vector, []);
    const isTold = ({ group, isWanted }: Doubt): boolean =>
      (bestSpan(text, [{ group, weight: 1 }], { width: 1, language }) !== undefined) === isWanted;
    told.set(row, doubtful.get(row)?.doubts?.every(isTold) === true);
    units += text.length;
    if (units > textUnitsReadMax) break;
    await snapshot.breathe?.();
  }
  return ranked.flatMap(({ doubts, ...sure }) => {
    if (doubts === undefined) return [sure];
    const isMatch = told.get(sure.row);
    return isMatch === undefined ? [{ ...sure, doubts }] : isMatch ? [sure] : [];
  });
}
