import * as z from "zod/mini";
import { ContextType } from "./context.js";
import { ContextId } from "./ids.js";
import { limits } from "./limits.js";
import { PrivacyLevel } from "./privacy-level.js";
import { fitsUtf8 } from "./text.js";
import { Timestamp } from "./timestamp.js";

const queryText = () =>
  z.string().check(z.refine((text) => fitsUtf8(text, limits.queryBytesMax), `must be at most ${limits.queryBytesMax} bytes of UTF-8`));

/** Query of `GET /context/search`. One of `query` and `urlPattern` is required. */
export const SearchQuery = z.object({
  query: z.optional(queryText()),
  urlPattern: z.optional(queryText()),
  type: z.optional(ContextType),
  privacyLevel: z.optional(PrivacyLevel),
  startTime: z.optional(Timestamp),
  endTime: z.optional(Timestamp),
  limit: z._default(z.int().check(z.minimum(1), z.maximum(limits.searchLimitMax)), limits.searchLimitDefault),
  offset: z._default(z.int().check(z.minimum(0)), 0),
});
export type SearchQuery = z.infer<typeof SearchQuery>;

/** An element of a page of search results. */
export const SearchHit = z.object({
  contextId: ContextId,
  type: ContextType,
  url: z.string(),
  title: z.string(),
  snippet: z.string(),
  timestamp: Timestamp,
  privacyLevel: PrivacyLevel,
  relevance: z.number().check(z.minimum(0), z.maximum(1)),
});
export type SearchHit = z.infer<typeof SearchHit>;

/** A page of search results, best first. Past 10,000 matches `total` is 10,000 and `totalIsExact` is false, as it is where a phrase was too much to look for in all of them. */
export const SearchPage = z.object({
  results: z.array(SearchHit),
  total: z.int(),
  totalIsExact: z.boolean(),
  query: z.string(),
  correctedQuery: z.optional(z.string()),
  limit: z.int(),
  offset: z.int(),
});
export type SearchPage = z.infer<typeof SearchPage>;
