import type { Language } from "./analysis/languages.js";
import { decodeVector } from "./analysis/read-vector.js";
import { bestSpan } from "./best-span.js";
import { textsReadMax, textUnitsReadMax } from "./bounds.js";
import type { QueryGroup } from "./query-plan.js";
import type { Doubts, Ranked } from "./ranking.js";
import type { Row, SearchSnapshot } from "./search-engine.js";

/**
 * Looks in the texts of the best that are in doubt whether words stand next to each other there, and leaves out what is not wanted.
 * What is in doubt after that keeps its `doubts`: reading is bounded.
 */
export async function withoutDoubts(snapshot: SearchSnapshot, ranked: readonly Ranked[]): Promise<Ranked[]> {
  const doubtful = new Map(ranked.flatMap(({ row, doubts }) => (doubts ? [[row, doubts] as const] : [])));
  if (doubtful.size === 0) return [...ranked];
  const told = new Map<Row, boolean>();
  let units = 0;
  for await (const { row, text, vector } of snapshot.page([...doubtful.keys()].slice(0, textsReadMax))) {
    const doubts = doubtful.get(row);
    if (!doubts) continue;
    // Each group is looked for by itself.
    const cost = text.length * (doubts.all.length + doubts.any.length + doubts.none.length);
    if (units + cost > textUnitsReadMax) continue;
    units += cost;
    told.set(row, isMatch(text, decodeVector(vector, []).language, doubts));
    await snapshot.breathe?.();
  }
  return ranked.flatMap(({ doubts, ...sure }) => {
    if (doubts === undefined) return [sure];
    const isWanted = told.get(sure.row);
    return isWanted === undefined ? [{ ...sure, doubts }] : isWanted ? [sure] : [];
  });
}

function isMatch(text: string, language: Language, { all, any, none }: Doubts): boolean {
  const has = (group: QueryGroup): boolean => bestSpan(text, [{ group, weight: 1 }], { width: 1, language }) !== undefined;
  return all.every(has) && (any.length === 0 || any.some(has)) && !none.some(has);
}
