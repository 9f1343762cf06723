import type Database from "better-sqlite3";
import type { ReadBounds } from "../../access/access.store.js";
import { unavailable } from "../../domain-error.js";
import { nothingFound, runSearch } from "../../search/run-search.js";
import type { FoundPage, SearchRequest, SearchStore } from "../../search/search.store.js";
import { TaskTimeout, WorkerLost, type WorkerPool } from "../../workers/worker-pool.js";
import { openReader } from "./connection.js";
import { searchIndexOpener } from "./search-index.js";

export interface SearchTask {
  input: { file: string; scope: ReadBounds; request: SearchRequest };
  output: FoundPage;
}

/** Opens the search indexes of the database that was searched last, over a connection that the thread keeps and nothing else uses. */
let opened: { file: string; db: Database.Database; openIndex: ReturnType<typeof searchIndexOpener> } | undefined;

/** Runs a search on this thread, which runs one at a time. */
export async function runSearchTask({ file, scope, request }: SearchTask["input"]): Promise<FoundPage> {
  if (opened?.file !== file) {
    opened?.db.close();
    const db = openReader(file);
    opened = { file, db, openIndex: searchIndexOpener(db) };
  }
  const { db, openIndex } = opened;
  // One transaction, so that total, order and text are of one moment.
  db.exec("BEGIN");
  try {
    const index = openIndex(scope.userId);
    return index ? await runSearch(index, scope, request) : nothingFound(request);
  } finally {
    if (db.inTransaction) db.exec("COMMIT");
  }
}

export type SearchWorkers = Pick<WorkerPool<{ search: SearchTask }>, "run">;

export interface SqliteSearchOptions {
  file: string;
  workers: SearchWorkers | undefined;
  timeoutMs: number;
  onTimeout: () => void;
}

/** Full-text search on FTS5, on worker threads: SQLite is synchronous, and a long search would hold up every other request. */
export function createSqliteSearch({ file, workers, timeoutMs, onTimeout }: SqliteSearchOptions): SearchStore {
  return {
    async search({ userId, maxPrivacyLevel }, request) {
      if (!workers) throw new Error("The database was opened without worker threads to search on.");
      try {
        const scope = { userId, maxPrivacyLevel };
        return await workers.run("search", { file, scope, request }, { userId, cpuMsMax: timeoutMs });
      } catch (error) {
        if (error instanceof WorkerLost) throw unavailable("Searching is not possible for now; try again in a moment.", 1, error);
        if (!(error instanceof TaskTimeout)) throw error;
        onTimeout();
        throw unavailable("The search took too long. Use fewer or rarer words, or a narrower time range.", 1, error);
      }
    },
  };
}
