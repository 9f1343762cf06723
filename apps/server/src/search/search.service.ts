import type { SearchHit, SearchPage, SearchQuery } from "@periscope/schemas";
import type { ReadScope } from "../contexts/context.store.js";
import { toMillis, toTimestamp } from "../contexts/timestamps.js";
import { badParameter, badRequest } from "../domain-error.js";
import { parseQuery } from "./parse-query.js";
import type { FoundContext, FoundPage, SearchStore } from "./search.store.js";

/** Searching a user's contexts by words and URL. */
export interface SearchService {
  /**
   * A page of what matches, best first. Throws `bad_request` when neither query nor urlPattern says anything or the time range is
   * empty, `unavailable` when the search ran out of its time.
   */
  search(scope: ReadScope, query: SearchQuery): Promise<SearchPage>;
}

const nothing: FoundPage = { results: [], total: 0, totalIsExact: true };

/** Search over a store. */
export function createSearchService({ search: store }: { search: SearchStore }): SearchService {
  return {
    async search(scope, query) {
      const words = given(query.query);
      const urlPattern = given(query.urlPattern);
      if (words === undefined && urlPattern === undefined) throw nothingToSearch();
      const startTime = query.startTime === undefined ? undefined : toMillis(query.startTime);
      const endTime = query.endTime === undefined ? undefined : toMillis(query.endTime);
      if (startTime !== undefined && endTime !== undefined && startTime >= endTime)
        throw badParameter("startTime", "must be before endTime");

      const expression = words === undefined ? undefined : parseQuery(words);
      const { type, privacyLevel, limit, offset } = query;
      // Words that want nothing (stop words, exclusions alone) find nothing, whatever the URL.
      const asksNothing = words !== undefined && expression === undefined;
      const found = asksNothing
        ? nothing
        : await store.search(scope, { expression, urlPattern, type, privacyLevel, startTime, endTime, limit, offset });
      const { results, total, totalIsExact } = found;
      return { results: results.map(toHit), total, totalIsExact, query: query.query ?? "", limit, offset };
    },
  };
}

function given(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === "" ? undefined : text;
}

function nothingToSearch() {
  const message = "give this or the other, and not blank";
  return badRequest("Give `query` (words) or `urlPattern` (part of a URL), or both; neither may be blank.", [
    { path: "query", message },
    { path: "urlPattern", message },
  ]);
}

function toHit({ contextId, type, url, title, snippet, capturedAt, privacyLevel, relevance }: FoundContext): SearchHit {
  return { contextId, type, url, title, snippet, timestamp: toTimestamp(capturedAt), privacyLevel, relevance };
}
