import type { ReadScope } from "../../access/scope.js";
import type { SearchBounds } from "../../search/bounds.js";
import type { FoundPage, SearchRequest } from "../../search/search.store.js";

/** What a search thread starts with. */
export interface SearchWorkerData {
  /** The database. */
  file: string;
  bounds: SearchBounds;
}

/** What a search thread is asked. */
export interface SearchJob {
  scope: ReadScope;
  request: SearchRequest;
}

/** What it says once its database is open, and what it answers; an error that is sent from thread to thread loses its code, which goes beside it. */
export type SearchAnswer = { started: true } | { page: FoundPage } | { error: Error; code: unknown };
