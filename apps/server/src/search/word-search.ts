import { type Language, languages } from "./analysis/languages.js";
import {
  enoughFullMin,
  groupsMax,
  newestRankedMax,
  partialRankedMax,
  phraseLookedMax,
  phraseMax,
  rankedMax,
  type SearchBounds,
  someGroupsMin,
  titlesRankedMax,
} from "./bounds.js";
import type { WantedGroup } from "./best-span.js";
import { Collection, type Frequencies, idfOf } from "./collection.js";
import { withoutDoubts } from "./doubtful-phrases.js";
import { withFeedback } from "./feedback.js";
import { languageTerm, wholeTitleTerm } from "./index-terms.js";
import type { Sample } from "./known-samples.js";
import { anyOf, matchOf, needsPlaces, planGroup, type QueryGroup, relaxed, titleMatchOf } from "./query-plan.js";
import { phrasePartsOf } from "./phrase-parts.js";
import { inOrder, Ranker, type Ranked, rounded } from "./ranking.js";
import type { Candidate, Row, SearchSnapshot, TermMatch } from "./search-engine.js";
import type { SearchExpression } from "./search-expression.js";
import { type SearchField, mergedFound, type Wanted } from "./search-field.js";
import { titleHashOf } from "./title-hash.js";

/** What a search finds, before it is cut into pages. */
export interface Answer {
  ranked: Ranked[];
  /** Contexts that follow the ranked ones, newest first: what of these is not among them. */
  rest?: Wanted;
  /** Rows that are ranked, or known to be no match. The ranked ones, when nothing else is said. */
  looked?: ReadonlySet<Row>;
  /** Counted up to one past the bound. */
  total: number;
  totalIsExact: boolean;
  /** What a snippet should show, and what each is worth. */
  wanted: WantedGroup[];
}

export const nothing: Answer = { ranked: [], total: 0, totalIsExact: true, wanted: [] };

/** A query as a user's index has its words. */
export interface QueryPlan {
  groups: readonly QueryGroup[];
  none: readonly QueryGroup[];
}

/** What is asked of the engine for a query as soon as it is planned. */
interface Asked {
  /** Undefined for a single group: how rare it is changes nothing. */
  frequencies: Promise<Frequencies> | undefined;
  sample: Promise<Sample>;
  full: Promise<FullMatch>;
}

/** Contexts that have all groups, as far as the index can tell. */
interface FullMatch {
  wanted: Wanted;
  /** Whether each is to be looked at, since the index cannot tell where words stand. */
  hasPlaces: boolean;
  rows: Row[];
  total: number;
  /** Whether the rows are all there are, where each is looked at. */
  isExact: boolean;
}

/** The search for words. */
export class WordSearch {
  readonly #snapshot: SearchSnapshot;
  readonly #field: SearchField;
  readonly #collection: Collection;
  readonly #bounds: SearchBounds;
  readonly #asked = new Map<QueryPlan, Asked>();
  #languages: Promise<Language[]> | undefined;

  constructor(snapshot: SearchSnapshot, field: SearchField, bounds: SearchBounds) {
    this.#snapshot = snapshot;
    this.#field = field;
    this.#bounds = bounds;
    this.#collection = new Collection(snapshot, field.visible);
  }

  /** Languages in which the user has contexts. */
  async languages(): Promise<Language[]> {
    return await (this.#languages ??= this.#findLanguages());
  }

  async #findLanguages(): Promise<Language[]> {
    const counts = await this.#snapshot.count(languages.map(languageTerm), 1);
    return languages.filter((_, index) => (counts[index] ?? 0) > 0);
  }

  /** Groups of a query, as this user's index has their words. */
  async plan({ all, none }: SearchExpression): Promise<QueryPlan> {
    const [known] = await Promise.all([this.languages(), all.length > 1 ? this.#collection.open() : undefined]);
    const planned = (term: SearchExpression["all"][number]): QueryGroup[] => {
      const group = planGroup(term, known);
      return group ? [group] : [];
    };
    return { groups: all.flatMap(planned).slice(0, groupsMax), none: none.flatMap((term) => planned([term])).slice(0, 8 * groupsMax) };
  }

  /** Groups of a plan that none of the contexts has that the key may see. */
  async unknown(plan: QueryPlan): Promise<QueryGroup[]> {
    const { groups, none } = plan;
    const { frequencies, full } = this.#ask(plan);
    if ((await full).total > 0) return [];
    if (groups.length === 1 && none.length === 0 && this.#field.isWhole) return [...groups];
    const counts =
      (await frequencies)?.frequencies ??
      (await this.#collection.count(
        groups.map((group) => matchOf(group)),
        1,
      ));
    return groups.filter((_, index) => counts[index] === 0);
  }

  /** Contexts with all of the words; when none has them all, those with some. */
  async answer(query: string, plan: QueryPlan): Promise<Answer> {
    const { groups, none } = plan;
    if (groups.length === 0) return nothing;
    const asked = this.#ask(plan);
    const titleHash = titleHashOf(query);
    const [known, { lengths: averages }, match] = await Promise.all([asked.frequencies, asked.sample, asked.full]);
    const idf = known?.frequencies.map((frequency) => idfOf(frequency, known.size)) ?? [1];
    const input = { excluded: none.filter(needsPlaces), titleHash };
    const full = await this.#withAll(new Ranker({ ...input, groups, weights: { idf, averages } }), match, { groups, titleHash });
    const wanted = groups.map((group) => ({ group, weight: 1 }));
    // With few words a context is looked for that has them all, and with what is quoted one that has it; with more, one that speaks of something.
    const isTopic = groups.length >= someGroupsMin && !groups.some(({ isPhrase }) => isPhrase);
    const again = async (ranked: readonly Ranked[]) =>
      isTopic ? inOrder(await withFeedback(this.#snapshot, ranked, { groups, averages })) : [...ranked];
    if (full.total > 0 && (!isTopic || full.total >= enoughFullMin)) return { ...full, ranked: await again(full.ranked), wanted };

    const loose = relaxed(groups);
    if (full.total === 0 && loose.length < 2) return { ...nothing, wanted };
    const parts =
      known && loose.length === groups.length ? known : await this.#collection.frequencies(loose.map((group) => matchOf(group)));
    const weights = { idf: parts.frequencies.map((frequency) => idfOf(frequency, parts.size)), averages };
    const some = await this.#withSome(new Ranker({ ...input, groups: loose, weights }), {
      groups: loose,
      frequencies: parts.frequencies,
      excluded: excludedOf(plan),
      isPlaced: [...loose, ...none].some(needsPlaces),
      // What stands beside others is ranked, and no more.
      isCounted: full.total === 0,
    });
    const weighted = loose.map((group, index) => ({ group, weight: weights.idf[index] ?? 0 }));
    if (full.total === 0) return { ...some, ranked: await again(some.ranked), wanted: weighted };
    const rows = new Set(full.ranked.map(({ row }) => row));
    const others = some.ranked.filter(({ row }) => !rows.has(row));
    const ranked = await again(inOrder([...full.ranked.map(preferred), ...others]));
    return { ranked, total: ranked.length, totalIsExact: full.totalIsExact && !others.some(({ doubts }) => doubts), wanted: weighted };
  }

  /** Asks at once what a query needs first, whatever comes of it. */
  #ask(plan: QueryPlan): Asked {
    let asked = this.#asked.get(plan);
    if (!asked) {
      asked = {
        frequencies: plan.groups.length > 1 ? this.#collection.frequencies(plan.groups.map((group) => matchOf(group))) : undefined,
        sample: this.#collection.sample(),
        full: this.#findAll(plan),
      };
      // Whoever needs one of them is told of its failure; until then it is nobody's.
      for (const answer of [asked.frequencies, asked.sample, asked.full]) answer?.catch(() => {});
      this.#asked.set(plan, asked);
    }
    return asked;
  }

  async #findAll(plan: QueryPlan): Promise<FullMatch> {
    const { totalMax } = this.#bounds;
    const wanted = { all: plan.groups.map((group) => matchOf(group)), none: excludedOf(plan) };
    if (![...plan.groups, ...plan.none].some(needsPlaces))
      return { wanted, hasPlaces: false, isExact: true, ...(await this.#field.found(wanted, rankedMax, totalMax + 1)) };
    const known = await this.languages();
    const main = known.length > 1 && plan.groups.some(needsPlaces) ? await this.#collection.language() : undefined;
    const max = phraseMax + 1;
    const parts = phrasePartsOf(plan.groups, known, main).map(async ({ all, none, test }) =>
      this.#field.found({ all, none: [...wanted.none, ...none] }, max, max, test),
    );
    const { rows, total } = mergedFound(await Promise.all(parts), max, max);
    const lookedMax = total > phraseMax ? phraseLookedMax : phraseMax;
    return { wanted, hasPlaces: true, rows: rows.slice(0, lookedMax), total, isExact: total <= phraseMax && rows.length <= lookedMax };
  }

  async #withAll(
    ranker: Ranker,
    { wanted, hasPlaces, rows, total, isExact }: FullMatch,
    { groups, titleHash }: { groups: readonly QueryGroup[]; titleHash: number },
  ): Promise<Omit<Answer, "wanted">> {
    if (hasPlaces) {
      // Each is looked at, as far as that goes.
      const { ranked } = await this.#rank(ranker, rows, true);
      return { ranked, total: ranked.length, totalIsExact: isExact && !ranked.some(({ doubts }) => doubts) };
    }
    const totalIsExact = total <= this.#bounds.totalMax;
    if (total <= rankedMax) return { ...(await this.#rank(ranker, rows, true)), rest: wanted, total, totalIsExact };
    const { none = [] } = wanted;
    const titles = await Promise.all([
      this.#field.newest({ all: [...wanted.all, wholeTitleTerm(titleHash)], none }, titlesRankedMax >> 1),
      this.#field.newest({ all: groups.map(titleMatchOf), none }, titlesRankedMax >> 1),
    ]);
    const some = new Set([...rows.slice(0, newestRankedMax), ...titles.flat()]);
    return { ...(await this.#rank(ranker, [...some], true)), rest: wanted, total, totalIsExact };
  }

  /**
   * Contexts with some of the words. Those with the rarest are all ranked, as far as the bound goes; words too common for that count
   * through the contexts that have several of them, and the newest.
   */
  async #withSome(
    ranker: Ranker,
    {
      groups,
      frequencies,
      excluded,
      isPlaced,
      isCounted,
    }: {
      groups: readonly QueryGroup[];
      frequencies: readonly number[];
      excluded: readonly TermMatch[];
      isPlaced: boolean;
      isCounted: boolean;
    },
  ): Promise<Omit<Answer, "wanted">> {
    const known = groups
      .map((group, index) => ({ match: matchOf(group), frequency: frequencies[index] ?? 0 }))
      .filter(({ frequency }) => frequency > 0)
      .sort((a, b) => a.frequency - b.frequency);
    if (known.length === 0) return { ranked: [], total: 0, totalIsExact: true };
    let whole = 0;
    for (let sum = 0; whole < known.length; whole++) {
      sum += known[whole]?.frequency ?? 0;
      if (sum > partialRankedMax) break;
    }
    const [rare, common] = [known.slice(0, whole).map(({ match }) => match), known.slice(whole).map(({ match }) => match)];
    const combinations: TermMatch[][] = [];
    // All but the commonest, all but the two commonest, ...; then the rarest with each of the others.
    for (let count = common.length; count > 1; count--) combinations.push(common.slice(0, count));
    for (let other = 2; other < common.length && other < 8; other++) combinations.push([common[0] ?? "", common[other] ?? ""]);
    const newest = (all: readonly TermMatch[], limit: number) => this.#field.newest({ all, none: excluded }, limit);
    const rest = { all: [anyOf(known.map((each) => each.match))], none: excluded };
    const [total, ...lists] = await Promise.all([
      isCounted ? this.#field.count(rest, this.#bounds.totalMax + 1) : 0,
      rare.length > 0 ? newest([anyOf(rare)], partialRankedMax) : [],
      ...combinations.map((combination) => newest(combination, combinationMax)),
      common.length > 0 ? newest(common.slice(0, 1), partialRankedMax) : [],
    ]);
    const rows = new Set<Row>();
    for (const list of lists) for (const row of list.slice(0, partialRankedMax - rows.size)) rows.add(row);
    const { ranked, looked } = await this.#rank(ranker, [...rows], false);
    // Those that have the words of a phrase, and no more than that, have nothing that is wanted.
    const { totalMax } = this.#bounds;
    const left = total > totalMax ? total : Math.max(0, total - (looked.size - ranked.length));
    const isTold = !isPlaced || (looked.size >= total && !ranked.some(({ doubts }) => doubts));
    return { ranked, rest, looked, total: left, totalIsExact: isTold && total <= totalMax };
  }

  /** Ranks rows, best first. Looked at are these, and what is known to be no match. */
  async #rank(ranker: Ranker, rows: readonly Row[], isWhole: boolean): Promise<{ ranked: Ranked[]; looked: Set<Row> }> {
    const ranked: Ranked[] = [];
    const looked = new Set<Row>();
    const chunkAt = async (start: number): Promise<Candidate[]> =>
      await this.#snapshot.candidates(rows.slice(start, start + chunk), ranker.hashes);
    let next = chunkAt(0);
    for (let start = 0; start < rows.length; start += chunk) {
      const candidates = await next;
      // Read by the engine while these are ranked.
      next = start + chunk < rows.length ? chunkAt(start + chunk) : next;
      next.catch(() => {});
      for (const candidate of candidates) {
        const found = ranker.rank(candidate, isWhole);
        if (found) ranked.push(found);
        if (found || isWhole || !ranker.isOpen(candidate)) looked.add(candidate.row);
      }
      await this.#snapshot.breathe?.();
    }
    return { ranked: await withoutDoubts(this.#snapshot, inOrder(ranked)), looked };
  }
}

/** Rows read at once, and those taken for one combination of common words. */
const chunk = 250;
const combinationMax = 150;

/** What a plan's contexts must not have, as far as the index can tell: where words stand, it cannot. */
function excludedOf({ none }: QueryPlan): TermMatch[] {
  const single = none.flatMap(({ sequences }) => sequences.filter(({ length }) => length === 1));
  return single.map((sequence) => matchOf({ sequences: [sequence], word: undefined, isPhrase: false }));
}

/** All words are wanted: a context that has them is a step nearer to the best. */
function preferred(ranked: Ranked): Ranked {
  return ranked.relevance === 1 ? ranked : { ...ranked, relevance: rounded(ranked.relevance + (0.999 - ranked.relevance) * preference) };
}
const preference = 0.1;
