import type pg from "pg";
import type { ReadBounds } from "../../access/access.store.js";
import { unavailable } from "../../domain-error.js";
import { nothingFound, runSearch } from "../../search/run-search.js";
import type { FoundPage, SearchRequest, SearchStore } from "../../search/search.store.js";
import { FairQueue } from "../../workers/fair-queue.js";
import { type Connection, rowsOf, isCancelled, release } from "./pool.js";
import { type Ask, openIndex, readRange } from "./search-index.js";

export interface SearchOptions {
  /** How long one search may run, in milliseconds; then the database cancels it. */
  timeoutMs: number;
  onTimeout: () => void;
  /** Searches that run at once, so that they never take every connection; others wait for their turn. */
  slots: number;
}

/** Memory that a search may sort in. With PostgreSQL's default of 4 MB it would use the disk, or forget which rows it has found. */
const workMemory = "16MB";
const workMemorySql = `SELECT set_config('work_mem', '${workMemory}', true) WHERE pg_size_bytes(current_setting('work_mem')) < pg_size_bytes('${workMemory}')`;

class SearchTimeout extends Error {
  override readonly name = "SearchTimeout";
}

/** Full-text search. The database itself cancels a search that takes too long, so that nothing goes on behind it. */
export function createSearchStore(pool: pg.Pool, { timeoutMs, onTimeout, slots }: SearchOptions): SearchStore {
  const queue = new FairQueue(slots);
  return {
    async search(scope, request) {
      return await queue.run(scope.userId, async () => {
        try {
          return await searchOnce(pool, timeoutMs, scope, request);
        } catch (error) {
          if (!isCancelled(error) && !(error instanceof SearchTimeout)) throw error;
          onTimeout();
          throw unavailable("The search took too long. Use fewer or rarer words, or a narrower time range.", 1, error);
        }
      });
    },
  };
}

async function searchOnce(pool: pg.Pool, timeoutMs: number, scope: ReadBounds, request: SearchRequest): Promise<FoundPage> {
  const connection = await pool.connect();
  try {
    // Sent along with the first question. All questions are answered as of one moment, so that total, order and text agree; and by
    // indexes: the planner would read the whole of a table that it takes for small, and unpack the terms of every row.
    const opening = connection.query(
      `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = ${timeoutMs}; SET LOCAL enable_seqscan = off; SET LOCAL jit = off;
       ${workMemorySql}`,
    );
    opening.catch(() => {});
    const ask = timedAsk(connection, timeoutMs);
    const [range] = await ask<{ oldest: number | null; newest: number | null }>(readRange, [scope.userId]);
    await opening;
    const { oldest, newest } = range ?? { oldest: null, newest: null };
    const page =
      oldest === null || newest === null
        ? nothingFound(request)
        : await runSearch(openIndex(ask, scope.userId, { oldest, newest }), scope, request);
    // The answer need not wait for it.
    release(connection, connection.query("ROLLBACK"));
    return page;
  } catch (error) {
    // Other questions may be on their way, and are refused once one has failed: nothing of a search goes on behind its answer.
    const ending = connection.query("ROLLBACK");
    release(connection, ending);
    if (isCancelled(error)) await ending.catch(() => {});
    throw error;
  }
}

/** Send a new statement_timeout once this share of the last one is used up. */
const retimedPart = 0.1;

/** Statements that together take no longer than the time given. */
function timedAsk(connection: Connection, timeoutMs: number): Ask {
  const until = performance.now() + timeoutMs;
  let allowed = timeoutMs;
  return async (statement, values) => {
    const left = Math.ceil(until - performance.now());
    if (left <= 0) throw new SearchTimeout(`The search took longer than ${timeoutMs} ms.`);
    if (left < (1 - retimedPart) * allowed) {
      allowed = left;
      // Nobody waits for it: when it fails, so does what comes after.
      connection.query(`SET LOCAL statement_timeout = ${left}`).catch(() => {});
    }
    return await rowsOf(connection, statement, values);
  };
}
