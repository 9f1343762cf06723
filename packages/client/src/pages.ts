import type * as schemas from "@periscope/schemas";
import { historyPageShape, searchPageShape } from "./answers/answer-shapes.js";
import { readAnswer } from "./call.js";
import { type Page, type Paged, StartedPages } from "./paged.js";
import type { HistoryQuery, SearchQuery } from "./queries.js";
import type { Sent } from "./http/send.js";

/** A page of history, newest first. */
export interface HistoryPage extends Page<schemas.HistoryItem> {
  /** Where the page after this one begins, for `history({ cursor })` at another time; absent on the last page. */
  nextCursor?: string | undefined;
}

/** A page of search results, best first. */
export interface SearchPage extends Page<schemas.SearchHit> {
  /** False past 10,000 matches, where `total` is 10,000, and where a phrase was too much to look for in all of them. */
  totalIsExact: boolean;
  /** The query as it was asked; empty with `urlPattern` alone. */
  query: string;
  /** What was searched instead, when the query looked mistyped. */
  correctedQuery?: string | undefined;
}

/** Sends a list's request with these parameters. */
type Fetch<Q> = (query: Q) => Promise<Sent>;

/**
 * History from a query on; its pages follow the cursor.
 * @param begin items before the query's cursor, which the service does not count
 */
export function historyPages(query: HistoryQuery, fetch: Fetch<HistoryQuery>, begin = 0): Paged<schemas.HistoryItem, HistoryPage> {
  return new StartedPages(fetch(query), (sent): HistoryPage => {
    const { contexts, ...rest } = readAnswer(sent, historyPageShape) as schemas.HistoryPage;
    const offset = begin + rest.offset;
    const next = () =>
      rest.nextCursor === undefined
        ? null
        : historyPages({ ...query, offset: undefined, cursor: rest.nextCursor }, fetch, offset + contexts.length);
    return { ...rest, offset, items: contexts, next };
  });
}

/** Search results from a query on; its pages follow the offset. */
export function searchPages(query: SearchQuery, fetch: Fetch<SearchQuery>): Paged<schemas.SearchHit, SearchPage> {
  return new StartedPages(fetch(query), (sent): SearchPage => {
    const { results, ...rest } = readAnswer(sent, searchPageShape) as schemas.SearchPage;
    const end = rest.offset + results.length;
    // A page that is not full is the last one; so is one that ends with the total, as far as that is known.
    const isLast = results.length < rest.limit || (rest.totalIsExact && end >= rest.total);
    const next = () => (isLast ? null : searchPages({ ...query, offset: end }, fetch));
    return { ...rest, items: results, next };
  });
}
