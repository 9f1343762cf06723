import type Database from "better-sqlite3";
import type { ReadScope } from "../../access/scope.js";
import type { SearchBounds } from "../../search/bounds.js";
import { runSearch } from "../../search/run-search.js";
import type { FoundPage, SearchRequest } from "../../search/search.store.js";
import { SqliteSnapshots } from "./search-snapshot.js";

/** Searches on a connection of its own, to be called one after the other. */
export function createSearcher(
  db: Database.Database,
  bounds: SearchBounds,
): (scope: ReadScope, request: SearchRequest) => Promise<FoundPage> {
  const snapshots = new SqliteSnapshots(db);
  return async (scope, request) => {
    // One transaction, so that total, order and text are of one moment.
    db.exec("BEGIN");
    try {
      const snapshot = snapshots.of(scope.userId);
      return snapshot ? await runSearch(snapshot, scope, request, bounds) : { results: [], total: 0, totalIsExact: true };
    } finally {
      if (db.inTransaction) db.exec("COMMIT");
    }
  };
}
