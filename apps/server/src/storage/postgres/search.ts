import { limits } from "@periscope/schemas";
import type pg from "pg";
import type { ReadScope } from "../../access/scope.js";
import { unavailable } from "../../domain-error.js";
import { KnownSamples } from "../../search/known-samples.js";
import { runSearch } from "../../search/run-search.js";
import type { FoundPage, SearchRequest, SearchStore } from "../../search/search.store.js";
import { isCancelled } from "./database-gone.js";
import { type Connection, rowsOf } from "./pool.js";
import { type Ask, openSnapshot } from "./search-snapshot.js";
import { Slots } from "./slots.js";

export interface PostgresSearchOptions {
  /** How long one search may run, in milliseconds; then the database cancels it. */
  timeoutMs: number;
  /** Told of each search that ran out of its time. */
  onTimeout: () => void;
  /** Searches that run at once; others wait. */
  slots: number;
}

const waitingMax = 100;
/**
 * Memory that a search may sort in: twice the rows in which a phrase is looked for, each with its filter of pairs. With PostgreSQL's default of
 * 4 MB they go to its disk.
 */
const workMemory = "16MB";
const workMemorySql = `SELECT set_config('work_mem', '${workMemory}', true) WHERE pg_size_bytes(current_setting('work_mem')) < pg_size_bytes('${workMemory}')`;
const bounds = { totalMax: limits.searchTotalMax, snippetCharsMax: limits.snippetCharsMax };

class SearchTimeout extends Error {
  override readonly name = "SearchTimeout";
}

/**
 * Full-text search over an index of terms. The database itself cancels a search that takes too long, so that nothing goes on behind it.
 */
export function createPostgresSearch(pool: pg.Pool, { timeoutMs, onTimeout, slots: slotCount }: PostgresSearchOptions): SearchStore {
  const slots = new Slots(slotCount, waitingMax);
  const samples = new KnownSamples();
  return {
    search: (scope, request) =>
      slots.run(scope.userId, async () => {
        try {
          return await searchOnce(pool, { timeoutMs, samples }, scope, request);
        } catch (error) {
          if (!isCancelled(error) && !(error instanceof SearchTimeout)) throw error;
          onTimeout();
          throw unavailable("The search took too long. Use fewer or rarer words, or a narrower time range.", 1, error);
        }
      }),
  };
}

async function searchOnce(
  pool: pg.Pool,
  { timeoutMs, samples }: { timeoutMs: number; samples: KnownSamples },
  scope: ReadScope,
  request: SearchRequest,
): Promise<FoundPage> {
  const connection = await pool.connect();
  try {
    // Sent along with the first question. All questions are answered as of one moment, so that total, order and text agree; and by the
    // indexes: the planner would read a whole table that it takes for small, and unpack the terms of every row.
    const opening = connection.query(
      `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = ${timeoutMs}; SET LOCAL enable_seqscan = off; SET LOCAL jit = off;
       ${workMemorySql}`,
    );
    opening.catch(() => {});
    const until = performance.now() + timeoutMs;
    const checkTime = () => {
      if (performance.now() >= until) throw new SearchTimeout(`The search took longer than ${timeoutMs} ms.`);
    };
    const ask = asking(connection, { timeoutMs, until, checkTime });
    const snapshot = await openSnapshot(ask, scope.userId, samples, checkTime);
    await opening;
    const page = snapshot ? await runSearch(snapshot, scope, request, bounds) : nothing;
    // The answer need not wait for it.
    void close(connection);
    return page;
  } catch (error) {
    // Other questions may be on their way, and are refused once one has failed: nothing of a search goes on behind its answer.
    const closed = close(connection);
    if (isCancelled(error)) await closed;
    throw error;
  }
}

const nothing: FoundPage = { results: [], total: 0, totalIsExact: true };

/** Ends the transaction and gives the connection back, or up when that fails. */
async function close(connection: Connection): Promise<void> {
  await connection.query("ROLLBACK").then(
    () => connection.release(),
    (broken: Error) => connection.release(broken),
  );
}

/** Part of its time after which a search says anew how long a statement may run. */
const retimedPart = 0.1;

interface Time {
  timeoutMs: number;
  /** By `performance.now()`. */
  until: number;
  /** Throws past it. */
  checkTime: () => void;
}

/** Statements that together take no longer than the time given. */
function asking(connection: Connection, { timeoutMs, until, checkTime }: Time): Ask {
  let allowed = timeoutMs;
  return async <Row extends object>(...[statement, values]: Parameters<Ask>) => {
    checkTime();
    const left = Math.max(1, Math.ceil(until - performance.now()));
    if (left < (1 - retimedPart) * allowed) {
      allowed = left;
      // Nobody waits for it: when it fails, so does what comes after.
      connection.query(`SET LOCAL statement_timeout = ${left}`).catch(() => {});
    }
    return await rowsOf<Row>(connection, statement, values);
  };
}
