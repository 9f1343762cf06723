import { type Call, StartedCall } from "./call.js";
import { PeriscopeError } from "./errors/periscope-error.js";

/** One page of a list. */
export interface Page<T> {
  /** What is on the page. */
  items: readonly T[];
  /** How many there are on all pages. */
  total: number;
  /** Most that a page holds. */
  limit: number;
  /** Where in the list the page begins; behind a cursor that the caller gave, counted from there. */
  offset: number;
  /** Fetches the page after this one, as the same kind of call; null when this is the last. */
  next(): Paged<T, this> | null;
}

/**
 * A list that comes in pages. Awaited, it is the first page; iterated, it is every item, and pages are fetched as they are needed.
 *
 * @example
 * const page = await periscope.history({ limit: 20 });
 * for await (const item of periscope.history()) console.log(item.title);
 * const newest = await periscope.history().toArray({ limit: 500 });
 */
export interface Paged<T, P extends Page<T> = Page<T>> extends Call<P>, AsyncIterable<T> {
  /** The first `limit` items, over as many pages as it takes. The limit must be given: a list can be very long. */
  toArray(options: { limit: number }): Promise<T[]>;
}

/** A list whose first page is on its way. */
export class StartedPages<T, P extends Page<T>> extends StartedCall<P> implements Paged<T, P> {
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    let page: P | undefined = await this;
    while (page !== undefined) {
      yield* page.items;
      const following: Paged<T, P> | null = page.next();
      page = following === null ? undefined : await following;
    }
  }

  async toArray(options?: { limit: number }): Promise<T[]> {
    const limit = options?.limit ?? -1;
    if (!(limit >= 0)) throw new PeriscopeError("toArray needs { limit }: the most items that it may return.");
    const items: T[] = [];
    if (limit < 1) return items;
    for await (const item of this) if (items.push(item) >= limit) break;
    return items;
  }
}
