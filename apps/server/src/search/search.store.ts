import type { ContextType, PrivacyLevel } from "@periscope/schemas";
import type { ReadBounds } from "../access/access.store.js";

/** What is searched for. Times are milliseconds since the epoch. */
export interface SearchRequest {
  /** Words in the query language; absent when only the URL is searched. */
  query?: string | undefined;
  /** Substring, or a wildcard over the whole URL when it has a `*`; case-insensitive. */
  urlPattern?: string | undefined;
  /** A site as `siteOf` writes it: a host with everything below it, and a path if need be. */
  site?: string | undefined;
  type?: ContextType | undefined;
  privacyLevel?: PrivacyLevel | undefined;
  /** Only contexts of this extension. */
  extensionId?: string | undefined;
  /** Inclusive. */
  startTime?: number | undefined;
  /** Exclusive. */
  endTime?: number | undefined;
  limit: number;
  offset: number;
  /** Every word must be in a context, as it is written: nothing is corrected, and nothing is left out. Whoever asks checks by `requireAllTaken` first. */
  isExact?: boolean;
  /** The last word may be half typed: where no context has it, it is completed. */
  isTyping?: boolean;
  /** Answer when every match was captured, too. */
  withTimes?: boolean;
}

export interface FoundContext {
  contextId: string;
  type: ContextType;
  url: string;
  title: string;
  capturedAt: number;
  /** Timestamp of the message that wrote it last. */
  writtenAt: number;
  privacyLevel: PrivacyLevel;
  /** 0 to 1, comparable across queries. */
  relevance: number;
  /** Plain text of at most 240 code points around the best match. */
  snippet: string;
}

export interface FoundPage {
  results: FoundContext[];
  /** At most 10,000. */
  total: number;
  totalIsExact: boolean;
  /** The query that was answered in place of the one given, which finds nothing but for a typing error. */
  correctedQuery?: string;
  /** When the matches that were counted were captured, in no order, in milliseconds since the epoch; if asked for. */
  times?: number[];
}

/** Full-text search of one user's contexts. */
export interface SearchStore {
  /** Throws `unavailable` when the search ran out of its time. */
  search(scope: ReadBounds, request: SearchRequest): Promise<FoundPage>;
}
