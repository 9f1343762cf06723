import { allOf } from "./query-plan.js";
import type { Found, PairTest, Row, RowFilter, SearchSnapshot, TermMatch, Walk } from "./search-engine.js";

/** Contexts that have all of `all`, which is not empty, and none of `none`. */
export interface Wanted {
  all: readonly TermMatch[];
  none?: readonly TermMatch[];
}

/** A part of what a request's own conditions leave. */
export interface FieldPart {
  terms: readonly TermMatch[];
  /** What terms cannot say, and is compared context by context. */
  filter?: RowFilter | undefined;
  /** Where a walk begins that only the filter bounds. */
  from?: Row | undefined;
}

/** The contexts that a request's key may see and its conditions leave, among which its words are looked for. */
export class SearchField {
  /** What the key may see; empty when it may see all. */
  readonly visible: readonly TermMatch[];
  readonly #snapshot: SearchSnapshot;
  readonly #parts: readonly FieldPart[];

  /** @param parts which have no context in common; none leave nothing */
  constructor(snapshot: SearchSnapshot, visible: readonly TermMatch[], parts: readonly FieldPart[]) {
    this.#snapshot = snapshot;
    this.visible = visible;
    this.#parts = parts;
  }

  /** Whether it is all that the key may see. */
  get isWhole(): boolean {
    return this.#parts.length === 1 && this.#parts.every(({ terms, filter, from }) => terms.length === 0 && !filter && from === undefined);
  }

  /** Whether older contexts are left out, for what they would cost. */
  get isCut(): boolean {
    return this.#parts.some(({ from }) => from !== undefined);
  }

  /** The newest rows up to `limit`, and how many there are, counted up to `max`; of the rows only those that pass the test, if any. */
  async found(wanted: Wanted, limit: number, max: number, test?: PairTest): Promise<Found> {
    const ask = async (part: FieldPart) => await this.#snapshot.found(this.#match(wanted, part), limit, max, { ...walkOf(part), test });
    const parts = await Promise.all(this.#parts.map(ask));
    return mergedFound(parts, limit, max);
  }

  /** How many there are, counted up to `max`. */
  async count(wanted: Wanted, max: number): Promise<number> {
    const ask = async (part: FieldPart) => await this.#snapshot.count([this.#match(wanted, part)], max, walkOf(part));
    const counts = (await Promise.all(this.#parts.map(ask))).flat();
    return Math.min(
      counts.reduce((sum, count) => sum + count, 0),
      max,
    );
  }

  /** The newest rows, newest first; of those before `before`, when it is given. */
  async newest(wanted: Wanted, limit: number, before?: Row): Promise<Row[]> {
    const ask = async (part: FieldPart) => await this.#snapshot.newest(this.#match(wanted, part), limit, { ...walkOf(part), before });
    return newestOf(await Promise.all(this.#parts.map(ask))).slice(0, limit);
  }

  #match({ all, none = [] }: Wanted, { terms }: FieldPart): TermMatch {
    return allOf([...all, ...this.visible, ...terms], none);
  }
}

/** What walks have found that have no row in common, as one of them would have: the newest rows up to `limit`, counted up to `max`. */
export function mergedFound(parts: readonly Found[], limit: number, max: number): Found {
  const total = parts.reduce((sum, found) => sum + found.total, 0);
  return { rows: newestOf(parts.map(({ rows }) => rows)).slice(0, limit), total: Math.min(total, max) };
}

const walkOf = ({ filter, from }: FieldPart): Walk => ({ filter, from });

function newestOf(lists: readonly Row[][]): Row[] {
  const [only, ...others] = lists;
  return only !== undefined && others.length === 0 ? only : lists.flat().sort((a, b) => b - a);
}
