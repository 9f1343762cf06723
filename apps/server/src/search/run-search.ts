import type { ReadScope } from "../access/scope.js";
import { decodeVector } from "./analysis/read-vector.js";
import { offsetMax, rankedMax, type SearchBounds, shortPatternScanMax } from "./bounds.js";
import { correctQuery } from "./correct-query.js";
import { anyTerm, levelTerm, typeTerm, urlTerm } from "./index-terms.js";
import { parseQuery } from "./parse-query.js";
import { anyOf } from "./query-plan.js";
import { inOrder } from "./ranking.js";
import type { Row, SearchSnapshot, TermMatch } from "./search-engine.js";
import { SearchField } from "./search-field.js";
import { type Answer, nothing, WordSearch } from "./word-search.js";
import type { FoundContext, FoundPage, SearchRequest } from "./search.store.js";
import { snippetOf } from "./snippet.js";
import { partsOfRange } from "./time-range.js";
import { gramsOfPattern } from "./url-grams.js";

// In rising order of protection.
const levels = ["public", "private", "filtered", "restricted"] as const;
const levelsOf = ({ maxPrivacyLevel }: ReadScope): readonly string[] => levels.slice(0, levels.indexOf(maxPrivacyLevel) + 1);

/** Runs a search on one user's contexts as they are at one moment. What it costs is bounded, whatever the user has. */
export async function runSearch(
  snapshot: SearchSnapshot,
  scope: ReadScope,
  request: SearchRequest,
  bounds: SearchBounds,
): Promise<FoundPage> {
  const field = await fieldOf(snapshot, scope, request);
  const { answer, correctedQuery } = await answerOf(snapshot, request, field, bounds);
  const relevances = await pageOf(answer, { field, ...request });
  const seen = levelsOf(scope);
  const results: FoundContext[] = [];
  for await (const { row, text, vector, ...context } of snapshot.page([...relevances.keys()])) {
    const relevance = relevances.get(row);
    // The terms have said so already; what a key may not see is worth a second look.
    if (relevance === undefined || !seen.includes(context.privacyLevel)) continue;
    const { language } = decodeVector(vector, []);
    results.push({
      ...context,
      relevance,
      snippet: snippetOf(text, { wanted: answer.wanted, language, charsMax: bounds.snippetCharsMax }),
    });
    await snapshot.breathe?.();
  }
  const total = Math.min(answer.total, bounds.totalMax);
  return { results, total, totalIsExact: answer.totalIsExact, ...(correctedQuery !== undefined && { correctedQuery }) };
}

async function answerOf(
  snapshot: SearchSnapshot,
  { query, urlPattern }: SearchRequest,
  field: SearchField,
  bounds: SearchBounds,
): Promise<{ answer: Answer; correctedQuery?: string }> {
  if (query === undefined) return { answer: urlPattern === undefined ? nothing : await newestFirst(snapshot, field, bounds) };
  const expression = parseQuery(query);
  if (!expression) return { answer: nothing };
  const search = new WordSearch(snapshot, field, bounds);
  const plan = await search.plan(expression);
  const correction = await correctQuery(snapshot, search, { query, plan, visible: field.visible });
  if (correction) {
    const corrected = await search.answer(correction.query, correction.plan);
    if (corrected.total > 0) return { answer: corrected, correctedQuery: correction.query };
  }
  return { answer: await search.answer(query, plan) };
}

/** Matches of the URL alone are all equally good, so the newest come first. */
async function newestFirst(snapshot: SearchSnapshot, field: SearchField, { totalMax }: SearchBounds): Promise<Answer> {
  const rest = { all: [anyTerm] };
  const { rows, total } = await field.found(rest, rankedMax, totalMax + 1);
  const candidates = await snapshot.candidates(rows, []);
  const ranked = inOrder(candidates.map(({ row, contextId, capturedAt }) => ({ row, contextId, capturedAt, relevance: 1 })));
  return { ranked, rest, total, totalIsExact: total <= totalMax && !field.isCut, wanted: [] };
}

async function fieldOf(snapshot: SearchSnapshot, scope: ReadScope, request: SearchRequest): Promise<SearchField> {
  const { type, privacyLevel, startTime, endTime, urlPattern } = request;
  const seen = levelsOf(scope);
  const terms: TermMatch[] = [];
  if (type !== undefined) terms.push(typeTerm(type));
  if (privacyLevel !== undefined) terms.push(levelTerm(privacyLevel));
  const grams = urlPattern === undefined ? [] : gramsOfPattern(urlPattern);
  terms.push(...grams.map(urlTerm));
  // Too short for the index: compared with the newest contexts only.
  const from = urlPattern !== undefined && grams.length === 0 ? await snapshot.nthNewest(shortPatternScanMax) : undefined;
  const parts = (await partsOfRange(snapshot, { since: startTime, until: endTime })).map((part) => ({
    terms: [...terms, ...part.terms],
    filter: urlPattern === undefined ? part.filter : { ...part.filter, urlPattern },
    from,
  }));
  return new SearchField(snapshot, seen.length === levels.length ? [] : [anyOf(seen.map(levelTerm))], parts);
}

/** Rows of the page in their order, with the relevance of each. */
async function pageOf(
  answer: Answer,
  { limit, offset, field }: Pick<SearchRequest, "limit" | "offset"> & { field: SearchField },
): Promise<Map<Row, number>> {
  const page = new Map(answer.ranked.slice(offset, offset + limit).map(({ row, relevance }) => [row, relevance]));
  if (page.size < limit && answer.rest !== undefined && answer.total > answer.ranked.length && offset < offsetMax) {
    const relevance = answer.ranked.at(-1)?.relevance ?? 1;
    const skip = Math.max(0, offset - answer.ranked.length);
    for (const row of await unranked(field, answer, { skip, limit: limit - page.size })) page.set(row, relevance);
  }
  return page;
}

/** Rows of the answer past those that are ranked, newest first. */
async function unranked(
  field: SearchField,
  { ranked, rest = { all: [anyTerm] }, looked }: Answer,
  { skip, limit }: { skip: number; limit: number },
): Promise<Row[]> {
  const known = looked ?? new Set(ranked.map(({ row }) => row));
  const rows: Row[] = [];
  const slice = 10_000;
  let left = skip;
  let before: Row | undefined;
  for (;;) {
    const some = await field.newest(rest, slice, before);
    for (const row of some) {
      if (known.has(row)) continue;
      if (left > 0) left--;
      else rows.push(row);
      if (rows.length === limit) return rows;
    }
    before = some.at(-1);
    if (some.length < slice) return rows;
  }
}
