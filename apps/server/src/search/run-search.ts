import { privacyLevels } from "@periscope/privacy";
import { limits, type PrivacyLevel } from "@periscope/schemas";
import { levelsUpTo, type ReadBounds } from "../access/access.store.js";
import { defaultLanguage, type Language, languages } from "./analysis/languages.js";
import { detectPageLanguage } from "./analysis/detect-language.js";
import { correctQuery } from "./correct-query.js";
import { allOf, anyOf, anyTerm, isDayStart, languageTerm, levelTerm, timeRangeTerms, typeTerm } from "./index-terms.js";
import { parseQuery } from "./parse-query.js";
import { indexedTextOf } from "./plain-text.js";
import { matchAll, matchOf, planQuery, type QueryGroup, type QueryPlan } from "./query-plan.js";
import { idf, rankCandidates } from "./ranking.js";
import { type Candidate, type Match, type RankedRows, rerankedMax, type Row, type RowFilter, type SearchIndex } from "./search-index.js";
import type { FoundContext, FoundPage, SearchRequest } from "./search.store.js";
import { snippetMaker } from "./snippet.js";
import { siteMatches } from "./site-terms.js";
import { urlMatches } from "./url-pattern.js";
import { createPause, withPauses } from "../workers/pause.js";

/** Counting stops here; past it a word's frequency is estimated from as many of the newest contexts. */
const countMax = 1_000;
/** Contexts that are counted to tell rare words from common ones. */
const sizeMax = 100_000;
/** With three words or more, candidates come from the rarer words, together at most about this many contexts. */
const partialMax = 10_000;
/** From this many groups on, a context need not match all of them. */
const partialGroupsMin = 3;

/** What a search found, before a page is cut from it. */
interface Answer {
  found: RankedRows;
  plan: QueryPlan;
  weights: readonly number[];
  query: string;
}

/** Runs a search over one user's contexts. What it costs is bounded, whatever the user has. */
export async function runSearch(index: SearchIndex, { maxPrivacyLevel }: ReadBounds, request: SearchRequest): Promise<FoundPage> {
  const seen = levelsUpTo(maxPrivacyLevel);
  const visible = seen.length === privacyLevels.length ? [] : [anyOf(seen.map(levelTerm))];
  const conditions = await conditionsOf(index, visible, request);
  if (!conditions) return nothingFound(request);
  const search = createSearch(index, { seen, visible }, conditions, request);
  const answer = request.query === undefined ? await search.byUrl() : await search.byWords(request.query);
  const { rows, total, totalIsExact } = answer.found;

  const pool = await index.candidates(rows.slice(0, rerankedMax));
  const pause = createPause();
  const page = pageOf(answer, pool, request);
  const wanted = answer.plan.groups.map((group, at) => ({ group, weight: answer.weights[at] ?? 1 }));
  const snippetOf = snippetMaker(wanted, limits.snippetCharsMax);
  const results: FoundContext[] = [];
  for await (const { row, source, ...context } of index.page([...page.keys()])) {
    // The index has filtered by level already; what a key may not see is worth a second look.
    if (!seen.includes(context.privacyLevel)) continue;
    const { relevance, language: known } = page.get(row) ?? { relevance: 0 };
    const language = known ?? (wanted.length > 0 ? detectPageLanguage(context.title, indexedTextOf(source), "") : defaultLanguage);
    const snippet = await withPauses(snippetOf(source, language), pause);
    results.push({ ...context, relevance, snippet });
    await pause();
  }
  return {
    results,
    total: Math.min(total, limits.searchTotalMax),
    totalIsExact: totalIsExact && total <= limits.searchTotalMax,
    ...(request.query !== undefined && answer.query !== request.query && { correctedQuery: answer.query }),
    ...(request.withTimes && { times: await index.times(rows.slice(0, limits.searchTotalMax)) }),
  };
}

/** The answer where there is nothing to look through. */
export function nothingFound({ withTimes }: SearchRequest): FoundPage {
  return { results: [], total: 0, totalIsExact: true, ...(withTimes && { times: [] }) };
}

/** Rows of the page in order. Rows past the ranked ones follow in the engine's order, no more relevant than the last. */
function pageOf(
  { found, plan, query, weights }: Answer,
  pool: readonly Candidate[],
  { limit, offset }: SearchRequest,
): Map<Row, { relevance: number; language?: Language }> {
  const ranked: Array<{ row: Row; relevance: number; language?: Language }> =
    plan.groups.length > 0
      ? rankCandidates(pool, { query, groups: plan.groups, weights })
      : pool.toSorted((one, other) => other.capturedAt - one.capturedAt || other.row - one.row).map(({ row }) => ({ row, relevance: 1 }));
  const relevance = ranked.at(-1)?.relevance ?? 1;
  const rest = found.rows.slice(rerankedMax).map((row) => ({ row, relevance }));
  return new Map([...ranked, ...rest].slice(offset, offset + limit).map(({ row, ...each }) => [row, each]));
}

/** What a request's own conditions are as terms, and what is left to be compared row by row. */
interface Conditions {
  matches: readonly Match[];
  filter: RowFilter | undefined;
}

/** undefined where the conditions leave nothing, such as a time range before the first context. */
async function conditionsOf(index: SearchIndex, visible: readonly Match[], request: SearchRequest): Promise<Conditions | undefined> {
  const { type, privacyLevel, startTime, endTime, urlPattern, site, extensionId } = request;
  const matches: Match[] = [...visible];
  if (type !== undefined) matches.push(typeTerm(type));
  if (privacyLevel !== undefined) matches.push(levelTerm(privacyLevel));
  if (urlPattern !== undefined) matches.push(...urlMatches(urlPattern));
  if (site !== undefined) matches.push(...siteMatches(site));
  let [since, until] = [startTime, endTime];
  if (since !== undefined || until !== undefined) {
    const span = await index.capturedSpan();
    if (!span) return undefined;
    const [first, end] = [Math.max(since ?? span.first, span.first), Math.min(until ?? span.last + 1, span.last + 1)];
    if (first >= end) return undefined;
    const days = timeRangeTerms(first, end);
    if (days) matches.push(anyOf(days));
    if (since !== undefined && (since <= span.first || (days && isDayStart(since)))) since = undefined;
    if (until !== undefined && (until > span.last || (days && isDayStart(until)))) until = undefined;
  }
  const hasFilter = [since, until, urlPattern, extensionId].some((value) => value !== undefined);
  return { matches, filter: hasFilter ? { since, until, urlPattern, extensionId } : undefined };
}

const nothing: RankedRows = { rows: [], total: 0, totalIsExact: true };

/** The levels that the key may see, and what every context of them matches; that is empty when the key may see all. */
interface Visible {
  seen: readonly PrivacyLevel[];
  visible: readonly Match[];
}

/** Finds contexts of the user that the conditions let through. */
function createSearch(
  index: SearchIndex,
  { seen, visible }: Visible,
  conditions: Conditions,
  { limit, offset, isExact = false, isTyping = false, withTimes = false }: SearchRequest,
) {
  const rowsMax = withTimes ? limits.searchTotalMax : Math.max(rerankedMax, offset + limit);

  /** Matches of the URL alone are all equally good: the newest come first. */
  async function byUrl(): Promise<Answer> {
    return { found: await rank(allOf(conditions.matches), [], []), plan: { groups: [], none: [] }, weights: [], query: "" };
  }

  async function byWords(query: string): Promise<Answer> {
    const known = await knownLanguages();
    const expression = parseQuery(query);
    const plan: QueryPlan = expression ? planQuery(expression, known) : { groups: [], none: [] };
    if (plan.groups.length === 0) return { found: nothing, plan, weights: [], query };
    if (isExact) {
      const { weights } = await weigh(plan.groups);
      return { found: await rank(withConditions(matchAll(plan.groups, plan.none)), plan.groups, weights), plan, weights, query };
    }
    const strict = await answerTo(query, plan);
    const unknown = strict.unknown.filter(({ word }) => word !== undefined);
    const corrected = unknown.length > 0 ? await correctQuery(index, { query, unknown, languages: known, visible, isTyping }) : undefined;
    if (corrected) {
      const again = parseQuery(corrected);
      const answer = again && (await answerTo(corrected, planQuery(again, known)));
      if (answer && answer.found.total > 0) return answer;
    }
    return strict.found.total > 0 ? strict : await answerLoosely(query, plan);
  }

  /** Languages in which the user has contexts. */
  async function knownLanguages(): Promise<Language[]> {
    const counts = await index.count(
      languages.map((language) => allOf([languageTerm(language), ...visible])),
      1,
    );
    return languages.filter((_, at) => (counts[at]?.count ?? 0) > 0);
  }

  /** One or two groups are all wanted; of three and more, those that are not required may be some. */
  async function answerTo(query: string, plan: QueryPlan): Promise<Answer & { unknown: readonly QueryGroup[] }> {
    const { groups, none } = plan;
    const [only, ...others] = groups;
    if (only && others.length === 0) {
      const found = await rank(withConditions(matchAll(groups, none)), groups, [1]);
      // A word that only filters keep from being found is spelled right.
      const isUnknown = found.total === 0 && (await weigh(groups)).frequencies[0] === 0;
      return { found, plan, weights: [1], query, unknown: isUnknown ? groups : [] };
    }
    const { frequencies, weights } = await weigh(groups);
    const unknown = groups.filter((_, at) => frequencies[at] === 0);
    if (groups.length < partialGroupsMin)
      return {
        found: unknown.length > 0 ? nothing : await rank(withConditions(matchAll(groups, none)), groups, weights),
        plan,
        weights,
        query,
        unknown,
      };
    const found = await rankPartial({ groups, none }, frequencies, weights);
    return { found, plan, weights, query, unknown };
  }

  /** Contexts with any of the rarer words, as many words as stay under the bound; required groups always hold. */
  async function rankPartial({ groups, none }: QueryPlan, frequencies: readonly number[], weights: readonly number[]): Promise<RankedRows> {
    const required = groups.filter(({ isRequired }) => isRequired);
    const optional = groups
      .map((group, at) => ({ group, frequency: frequencies[at] ?? 0 }))
      .filter(({ group, frequency }) => !group.isRequired && frequency > 0)
      .sort((one, other) => one.frequency - other.frequency);
    if (optional.length === 0 && required.length === 0) return nothing;
    const rare: QueryGroup[] = [];
    let sum = 0;
    for (const { group, frequency } of optional) {
      sum += frequency;
      if (rare.length > 0 && sum > partialMax) break;
      rare.push(group);
    }
    const all = [...required.map(matchOf), ...(rare.length > 0 ? [anyOf(rare.map(matchOf))] : [])];
    return await rank(withConditions(allOf(all, none.map(matchOf))), groups, weights);
  }

  /**
   * Nothing has all the words that were asked for. Words that are written together, such as `read-only`, are looked for one by one; of a
   * query of two words, the one that fewer contexts have is enough.
   */
  async function answerLoosely(query: string, { groups, none }: QueryPlan): Promise<Answer> {
    const loose = groups.flatMap((group) => (group.parts.length > 0 && (group.isDense || groups.length > 1) ? group.parts : [group]));
    const plan = { groups: loose, none };
    if (loose.length < 2) return { found: nothing, plan: { groups, none }, weights: [1], query };
    const { frequencies, weights } = await weigh(loose);
    const isPair = loose.length === 2 && loose.every(({ isRequired }) => !isRequired);
    if (!isPair) return { found: await rankPartial(plan, frequencies, weights), plan, weights, query };
    const known = loose.map((group, at) => ({ group, frequency: frequencies[at] ?? 0 })).filter(({ frequency }) => frequency > 0);
    const [rarest] = known.sort((one, other) => one.frequency - other.frequency);
    const found = rarest ? await rank(withConditions(matchAll([rarest.group], none)), loose, weights) : nothing;
    return { found, plan, weights, query };
  }

  /** Of how many contexts that the key may see each group is, and how much that tells. Nothing here may depend on any other context. */
  async function weigh(groups: readonly QueryGroup[]): Promise<{ frequencies: number[]; weights: number[] }> {
    const matches = groups.map((group) => allOf([matchOf(group), ...visible]));
    const [all, ...counts] = await index.count([allOf([anyTerm, ...visible]), ...matches], countMax);
    const frequencies = counts.map(({ count }) => count);
    let size = all?.count ?? 0;
    if (size === countMax) {
      size = await index.size(seen, sizeMax);
      const newest = await index.count(matches, countMax, all?.oldest);
      for (const [at, count] of frequencies.entries())
        if (count === countMax) frequencies[at] = Math.max(countMax, ((newest[at]?.count ?? 0) / countMax) * size);
    }
    return { frequencies, weights: frequencies.map((frequency) => idf(frequency, size)) };
  }

  function withConditions(words: Match): Match {
    return allOf([words, ...conditions.matches]);
  }

  async function rank(match: Match, groups: readonly QueryGroup[], weights: readonly number[]): Promise<RankedRows> {
    const words = groups.map((group, at) => ({ match: matchOf(group), weight: weights[at] ?? 1 }));
    return await index.rank({ match, filter: conditions.filter, words, limit: rowsMax });
  }

  return { byUrl, byWords };
}
