import Database from "better-sqlite3";
import { parentPort, workerData } from "node:worker_threads";
import { busyTimeoutMs, cacheOf } from "./pragmas.js";
import { createSearcher } from "./search-query.js";
import type { SearchAnswer, SearchJob, SearchWorkerData } from "./search-worker-messages.js";

// Entry of a thread that searches on a read-only connection of its own: a job in, its answer out, one at a time.
const { file, bounds } = workerData as SearchWorkerData;
const db = new Database(file, { readonly: true, fileMustExist: true });
db.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}; ${cacheOf(4)}`);
const search = createSearcher(db, bounds);

parentPort?.on("message", ({ scope, request }: SearchJob) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window and has no origin
  void answer(() => search(scope, request)).then((found) => parentPort?.postMessage(found));
});

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window and has no origin
parentPort?.postMessage({ started: true } satisfies SearchAnswer);

async function answer(work: () => ReturnType<typeof search>): Promise<SearchAnswer> {
  try {
    return { page: await work() };
  } catch (error) {
    return { error: error instanceof Error ? error : new Error(String(error)), code: (error as { code?: unknown }).code };
  }
}
