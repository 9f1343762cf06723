import { wordTermsIn } from "./analysis/word-terms.js";
import { foldWord } from "./analysis/fold.js";
import { wordsOf } from "./analysis/words.js";
import { edits } from "./edits.js";
import { wordTerm } from "./index-terms.js";
import { parseQuery } from "./parse-query.js";
import { allOf, anyOf } from "./query-plan.js";
import type { SearchSnapshot, TermMatch } from "./search-engine.js";
import type { QueryPlan, WordSearch } from "./word-search.js";

/** Unknown words of a query that are looked at, and what tells which of two corrections is in more contexts. */
const wordsMax = 3;
const countMax = 1_000;
/** Corrections that are looked for in texts, texts looked through for each, and how far. */
const candidatesMax = 3;
const textsMax = 5;
const textUnitsMax = 50_000;

/**
 * A query with one word corrected that none of the user's contexts has, by a word that is one letter away and that they have: the most
 * frequent one. Undefined when there is nothing to correct, or nothing to correct it by. Asks the user's own visible contexts alone.
 */
export async function correctQuery(
  snapshot: SearchSnapshot,
  search: WordSearch,
  { query, plan, visible }: { query: string; plan: QueryPlan; visible: readonly TermMatch[] },
): Promise<{ query: string; plan: QueryPlan } | undefined> {
  if (plan.groups.every(({ word }) => word === undefined)) return undefined;
  const seen = (match: TermMatch): TermMatch => allOf([match, ...visible]);
  const unknown = (await search.unknown(plan)).filter(({ word }) => word !== undefined).slice(0, wordsMax);
  if (unknown.length === 0) return undefined;
  const lookups = (await search.languages()).map((language) => wordTermsIn(language));
  for (const { word = "" } of unknown) {
    const near = edits(word);
    const byTerm = new Map<string, { match: TermMatch }>();
    for (const text of near) {
      const terms = [...new Set(lookups.map((termsOf) => termsOf(text).term))];
      const key = terms.join(" ");
      if (!byTerm.has(key)) byTerm.set(key, { match: anyOf(terms.map(wordTerm)) });
    }
    const there = await known(snapshot, [...byTerm.values()], visible);
    const text = await mostFrequent(
      snapshot,
      there.map(({ match }) => seen(match)),
      new Set(near),
    );
    const corrected = text === undefined ? undefined : replaceWord(query, word, text);
    const expression = corrected === undefined ? undefined : parseQuery(corrected);
    if (corrected !== undefined && expression) return { query: corrected, plan: await search.plan(expression) };
  }
  return undefined;
}

/**
 * The correction that most contexts have, as it is written there: words of the same stem are many, and only one that the user
 * has read is worth proposing.
 */
async function mostFrequent(
  snapshot: SearchSnapshot,
  matches: readonly TermMatch[],
  near: ReadonlySet<string>,
): Promise<string | undefined> {
  const counts = await snapshot.count(matches, countMax);
  const byCount = matches.map((match, index) => ({ match, count: counts[index] ?? 0 })).sort((a, b) => b.count - a.count);
  for (const { match } of byCount.slice(0, candidatesMax)) {
    const words = new Map<string, number>();
    for await (const { title, url, text } of snapshot.page(await snapshot.newest(match, textsMax)))
      for (const written of wordsOf(`${title}\n${text.slice(0, textUnitsMax)}\n${url}`))
        if (near.has(written)) words.set(written, (words.get(written) ?? 0) + 1);
    const [best] = [...words].sort((a, b) => b[1] - a[1]);
    if (best) return best[0];
  }
  return undefined;
}

/** Those of which there is a context. Most have none, so many are asked for at once, and only where one is found each by itself. */
async function known<T extends { match: TermMatch }>(
  snapshot: SearchSnapshot,
  all: readonly T[],
  visible: readonly TermMatch[],
  parts = 8,
): Promise<T[]> {
  const size = Math.ceil(all.length / parts);
  const groups = Array.from({ length: size === 0 ? 0 : Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );
  const counts = await snapshot.count(
    groups.map((group) => allOf([anyOf(group.map(({ match }) => match)), ...visible])),
    1,
  );
  const found: T[] = [];
  for (const [index, group] of groups.entries())
    if ((counts[index] ?? 0) > 0) found.push(...(group.length === 1 ? group : await known(snapshot, group, visible)));
  return found;
}

/** The query with a word replaced wherever it is typed, in whatever case; undefined when it is not found as typed. */
function replaceWord(query: string, word: string, by: string): string | undefined {
  let isFound = false;
  const corrected = query.replace(/[\p{L}\p{N}\p{M}\p{Co}]+/gu, (typed) => {
    if (foldWord(typed) !== word) return typed;
    isFound = true;
    return by;
  });
  return isFound ? corrected : undefined;
}
