import type { SearchHit, SearchPage, SearchQuery } from "@periscope/schemas";
import type { ReadBounds } from "../access/access.store.js";
import type { Deps } from "../deps.js";
import { toTimestamp } from "../formats.js";
import { toTimeRange } from "../time-range.js";
import { badRequest } from "../domain-error.js";
import type { FoundContext } from "./search.store.js";

/**
 * A page of what matches words or a URL, best first. Throws `bad_request` when neither query nor urlPattern says anything or the time range
 * is empty, `unavailable` when the search ran out of its time.
 */
export async function searchContexts({ stores }: Pick<Deps, "stores">, scope: ReadBounds, query: SearchQuery): Promise<SearchPage> {
  const words = given(query.query);
  const urlPattern = given(query.urlPattern);
  if (words === undefined && urlPattern === undefined) throw nothingToSearch();
  const asked = { start: query.startTime, end: query.endTime, startName: "startTime", endName: "endTime" };
  const { start: startTime, end: endTime } = toTimeRange(asked);

  const { type, privacyLevel, limit, offset } = query;
  const found = await stores.search.search(scope, { query: words, urlPattern, type, privacyLevel, startTime, endTime, limit, offset });
  const { results, total, totalIsExact, correctedQuery } = found;
  const corrected = correctedQuery === undefined ? {} : { correctedQuery };
  return { results: results.map(toHit), total, totalIsExact, query: query.query ?? "", ...corrected, limit, offset };
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
