import { type Language, languages } from "./analysis/languages.js";
import {
  followingFullMax,
  followingGroupsMin,
  groupsMax,
  newestRankedMax,
  partialRankedMax,
  rankedMax,
  type SearchBounds,
  titlesRankedMax,
} from "./bounds.js";
import type { WantedGroup } from "./best-span.js";
import { Collection, idfOf } from "./collection.js";
import { languageTerm, wholeTitleTerm } from "./index-terms.js";
import { allOf, anyOf, matchOf, needsPlaces, planGroup, type QueryGroup, relaxed, titleMatchOf } from "./query-plan.js";
import { inOrder, Ranker, type Ranked, rounded } from "./ranking.js";
import type { RowFilter, Row, SearchSnapshot, TermMatch, Walk } from "./search-engine.js";
import type { SearchExpression } from "./search-expression.js";
import { titleHashOf } from "./title-hash.js";

/** What a search finds, before it is cut into pages. */
export interface Answer {
  ranked: Ranked[];
  /** Contexts that follow the ranked ones, newest first: what of this match is not among them. */
  rest?: TermMatch;
  /** Counted up to one past the bound. */
  total: number;
  totalIsExact: boolean;
  /** What a snippet should show, and what each is worth. */
  wanted: WantedGroup[];
}

export const nothing: Answer = { ranked: [], total: 0, totalIsExact: true, wanted: [] };

/** What a request asks of every context beside its words. */
export interface Conditions {
  /** What the key may see. */
  visible: readonly TermMatch[];
  /** What the request's own bounds say, as far as terms can. */
  terms: readonly TermMatch[];
  /** And as far as they cannot. */
  filter: RowFilter | undefined;
  /** Where a walk begins that only the filter bounds. */
  from: Row | undefined;
}

/** The search for words. */
export class WordSearch {
  readonly collection: Collection;
  readonly #snapshot: SearchSnapshot;
  readonly #conditions: Conditions;
  readonly #bounds: SearchBounds;
  #languages: Language[] | undefined;

  constructor(snapshot: SearchSnapshot, conditions: Conditions, bounds: SearchBounds) {
    this.#snapshot = snapshot;
    this.#conditions = conditions;
    this.#bounds = bounds;
    this.collection = new Collection(snapshot, conditions.visible);
  }

  /** Languages in which the user has contexts. */
  async languages(): Promise<Language[]> {
    if (!this.#languages) {
      const counts = await this.#snapshot.count(languages.map(languageTerm), 1);
      this.#languages = languages.filter((_, index) => (counts[index] ?? 0) > 0);
    }
    return this.#languages;
  }

  /** Groups of a query, as this user's index has their words. */
  async plan({ all, none }: SearchExpression): Promise<{ groups: QueryGroup[]; none: QueryGroup[] }> {
    const known = await this.languages();
    const planned = (term: SearchExpression["all"][number]): QueryGroup[] => {
      const group = planGroup(term, known);
      return group ? [group] : [];
    };
    return { groups: all.flatMap(planned).slice(0, groupsMax), none: none.flatMap((term) => planned([term])).slice(0, 8 * groupsMax) };
  }

  /** Contexts with all of the words; when none has them all, those with some. */
  async answer(query: string, { groups, none }: { groups: readonly QueryGroup[]; none: readonly QueryGroup[] }): Promise<Answer> {
    if (groups.length === 0) return nothing;
    const { size, frequencies } = await this.collection.frequencies(groups.map((group) => matchOf(group)));
    const idf = frequencies.map((frequency) => idfOf(frequency, size));
    const averages = await this.collection.averageLengths();
    const input = { excluded: none.filter(needsPlaces), titleHash: titleHashOf(query) };
    const excluded = none.flatMap(({ sequences }) =>
      sequences
        .filter(({ length }) => length === 1)
        .map((sequence) => matchOf({ sequences: [sequence], word: undefined, isPhrase: false })),
    );
    const full = await this.#withAll(new Ranker({ ...input, groups, weights: { idf, averages } }), {
      groups,
      excluded,
      hasPlaces: input.excluded.length > 0,
      titleHash: input.titleHash,
    });
    const wanted = groups.map((group) => ({ group, weight: 1 }));
    if (full.total > 0 && (groups.length < followingGroupsMin || full.total >= followingFullMax)) return { ...full, wanted };

    const loose = relaxed(groups);
    if (full.total === 0 && loose.length < 2) return { ...nothing, wanted };
    const parts =
      loose.length === groups.length ? { size, frequencies } : await this.collection.frequencies(loose.map((group) => matchOf(group)));
    const weights = { idf: parts.frequencies.map((frequency) => idfOf(frequency, parts.size)), averages };
    const some = await this.#withSome(new Ranker({ ...input, groups: loose, weights }), {
      groups: loose,
      frequencies: parts.frequencies,
      excluded,
    });
    const weighted = loose.map((group, index) => ({ group, weight: weights.idf[index] ?? 0 }));
    if (full.total === 0) return { ...some, wanted: weighted };
    return { ...following(full, some.ranked), wanted: weighted };
  }

  get #walk(): Walk {
    return { filter: this.#conditions.filter, from: this.#conditions.from };
  }

  #match(wanted: readonly TermMatch[], excluded: readonly TermMatch[]): TermMatch {
    const { visible, terms } = this.#conditions;
    return allOf([...wanted, ...visible, ...terms], excluded);
  }

  async #withAll(
    ranker: Ranker,
    {
      groups,
      excluded,
      hasPlaces,
      titleHash,
    }: { groups: readonly QueryGroup[]; excluded: readonly TermMatch[]; hasPlaces: boolean; titleHash: number },
  ): Promise<Omit<Answer, "wanted">> {
    const { totalMax } = this.#bounds;
    const match = this.#match(
      groups.map((group) => matchOf(group)),
      excluded,
    );
    const [total = 0] = await this.#snapshot.count([match], totalMax + 1, this.#walk);
    if (total === 0) return { ranked: [], total, totalIsExact: true };
    if (hasPlaces || groups.some(needsPlaces)) {
      // The index cannot tell where words stand: each context is looked at, as far as totals are counted.
      const rows = await this.#snapshot.newest(match, totalMax, this.#walk);
      const ranked = await this.#rank(ranker, rows, true);
      return { ranked: inOrder(ranked), total: ranked.length, totalIsExact: total <= totalMax };
    }
    const all = { total, totalIsExact: total <= totalMax, rest: match };
    if (total <= rankedMax)
      return { ...all, ranked: inOrder(await this.#rank(ranker, await this.#snapshot.newest(match, rankedMax, this.#walk), true)) };
    const inTitle = this.#match(groups.map(titleMatchOf), excluded);
    const sameTitle = this.#match([...groups.map((group) => matchOf(group)), wholeTitleTerm(titleHash)], excluded);
    const rows = new Set([
      ...(await this.#snapshot.newest(match, newestRankedMax, this.#walk)),
      ...(await this.#snapshot.newest(sameTitle, titlesRankedMax >> 1, this.#walk)),
      ...(await this.#snapshot.newest(inTitle, titlesRankedMax >> 1, this.#walk)),
    ]);
    return { ...all, ranked: inOrder(await this.#rank(ranker, [...rows], true)) };
  }

  /**
   * Contexts with some of the words. Those with the rarest are all ranked, as far as the bound goes; words too common for that count
   * through the contexts that have several of them, and the newest.
   */
  async #withSome(
    ranker: Ranker,
    { groups, frequencies, excluded }: { groups: readonly QueryGroup[]; frequencies: readonly number[]; excluded: readonly TermMatch[] },
  ): Promise<Omit<Answer, "wanted">> {
    const known = groups
      .map((group, index) => ({ match: matchOf(group), frequency: frequencies[index] ?? 0 }))
      .filter(({ frequency }) => frequency > 0)
      .sort((a, b) => a.frequency - b.frequency);
    if (known.length === 0) return { ranked: [], total: 0, totalIsExact: true };
    const rows = new Set<Row>();
    const take = async (wanted: readonly TermMatch[], limit: number): Promise<void> => {
      const room = Math.min(limit, partialRankedMax - rows.size);
      if (wanted.length > 0 && room > 0)
        for (const row of await this.#snapshot.newest(this.#match(wanted, excluded), room, this.#walk)) rows.add(row);
    };
    let whole = 0;
    for (let sum = 0; whole < known.length; whole++) {
      sum += known[whole]?.frequency ?? 0;
      if (sum > partialRankedMax) break;
    }
    const [rare, common] = [known.slice(0, whole).map(({ match }) => match), known.slice(whole).map(({ match }) => match)];
    if (rare.length > 0) await take([anyOf(rare)], partialRankedMax);
    // All but the commonest, all but the two commonest, ...; then the rarest with each of the others.
    for (let count = common.length; count > 1; count--) await take(common.slice(0, count), combinationMax);
    for (let other = 2; other < common.length && other < 8; other++) await take([common[0] ?? "", common[other] ?? ""], combinationMax);
    if (common.length > 0) await take(common.slice(0, 1), partialRankedMax);
    const match = this.#match([anyOf(known.map((each) => each.match))], excluded);
    const [total = 0] = await this.#snapshot.count([match], this.#bounds.totalMax + 1, this.#walk);
    const ranked = inOrder(await this.#rank(ranker, [...rows], false));
    return { ranked, rest: match, total, totalIsExact: total <= this.#bounds.totalMax };
  }

  async #rank(ranker: Ranker, rows: readonly Row[], isWhole: boolean): Promise<Ranked[]> {
    const ranked: Ranked[] = [];
    for (let start = 0; start < rows.length; start += chunk) {
      for (const candidate of await this.#snapshot.candidates(rows.slice(start, start + chunk))) {
        const found = ranker.rank(candidate, isWhole);
        if (found) ranked.push(found);
      }
    }
    return ranked;
  }
}

/** Rows read at once, and those taken for one combination of common words. */
const chunk = 500;
const combinationMax = 150;

/** Contexts with some of the words behind those with all, and never more relevant than the last of these. */
function following(full: Omit<Answer, "wanted">, some: readonly Ranked[]): Omit<Answer, "wanted"> {
  const rows = new Set(full.ranked.map(({ row }) => row));
  const ceiling = full.ranked.at(-1)?.relevance ?? 1;
  const behind = some.filter(({ row }) => !rows.has(row)).map((ranked) => ({ ...ranked, relevance: rounded(ranked.relevance * ceiling) }));
  return { ranked: [...full.ranked, ...behind], total: full.ranked.length + behind.length, totalIsExact: true };
}
