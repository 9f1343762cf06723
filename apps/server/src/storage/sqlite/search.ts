import { limits } from "@periscope/schemas";
import { unavailable } from "../../domain-error.js";
import type { FoundPage, SearchStore } from "../../search/search.store.js";
import { SearchThread, SearchThreadLost, SearchTimeout } from "./search-thread.js";
import type { SearchJob } from "./search-worker-messages.js";

export interface SqliteSearchOptions {
  /** The database, brought up to date before. */
  file: string;
  /** How long one search may run, in milliseconds; then it is answered `unavailable` and its thread replaced. */
  timeoutMs: number;
  /** Told of each search that ran out of its time. */
  onTimeout?: () => void;
  /** Searches that run at once, each on a thread and a connection of its own. @default 2 */
  threadsMax?: number;
  /** Searches that may wait for a thread; past it one is answered `unavailable` at once. @default 100 */
  waitingMax?: number;
}

interface Waiting extends SearchJob {
  resolve: (page: FoundPage) => void;
  reject: (error: unknown) => void;
}

/**
 * Full-text search on FTS5, off the event loop: searches run on threads with read-only connections, and a search that takes too long
 * costs only itself. Among those that wait, the user who was served longest ago comes first, so that nobody keeps the others out.
 */
export function createSqliteSearch(options: SqliteSearchOptions): SearchStore & AsyncDisposable {
  return new SqliteSearch(options);
}

class SqliteSearch implements SearchStore, AsyncDisposable {
  readonly #options: Required<SqliteSearchOptions>;
  readonly #idle: SearchThread[] = [];
  readonly #threads = new Set<SearchThread>();
  /** Those and the ones that were told to end, and have not. */
  readonly #running = new Set<SearchThread>();
  readonly #waiting: Waiting[] = [];
  /** When each user was served last, in turns; forgotten when nobody waits. */
  readonly #lastTurns = new Map<string, number>();
  #turn = 0;
  #closed = false;

  constructor(options: SqliteSearchOptions) {
    this.#options = { threadsMax: 2, waitingMax: 100, onTimeout: () => {}, ...options };
    // The first search should not wait for a thread to start.
    this.#idle.push(this.#startThread());
  }

  search(...[scope, request]: Parameters<SearchStore["search"]>): Promise<FoundPage> {
    if (this.#closed) return Promise.reject(unavailable("The service is shutting down.", 1));
    if (this.#waiting.length >= this.#options.waitingMax)
      return Promise.reject(unavailable("Too many searches at once; try again shortly.", 1));
    return new Promise((resolve, reject) => {
      // Named field by field: a scope may carry more than a thread can be sent.
      const { userId, maxPrivacyLevel } = scope;
      this.#waiting.push({ scope: { userId, maxPrivacyLevel }, request, resolve, reject });
      this.#dispatch();
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    for (const { reject } of this.#waiting.splice(0)) reject(unavailable("The service is shutting down.", 1));
    await Promise.all([...this.#running].map((thread) => thread.end()));
  }

  #dispatch(): void {
    while (this.#waiting.length > 0) {
      const thread = this.#idle.pop() ?? (this.#threads.size < this.#options.threadsMax ? this.#startThread() : undefined);
      if (!thread) return;
      const job = this.#next();
      if (!job) return;
      void this.#run(thread, job);
    }
  }

  #next(): Waiting | undefined {
    const turnOf = ({ scope }: Waiting): number => this.#lastTurns.get(scope.userId) ?? 0;
    const turns = this.#waiting.map(turnOf);
    const [job] = this.#waiting.splice(turns.indexOf(Math.min(...turns)), 1);
    if (this.#waiting.length === 0) this.#lastTurns.clear();
    else if (job) this.#lastTurns.set(job.scope.userId, ++this.#turn);
    return job;
  }

  async #run(thread: SearchThread, { scope, request, resolve, reject }: Waiting): Promise<void> {
    try {
      resolve(await thread.run({ scope, request }, this.#options.timeoutMs));
      this.#idle.push(thread);
    } catch (error) {
      if (error instanceof SearchTimeout) {
        this.#options.onTimeout();
        reject(unavailable("The search took too long. Use fewer or rarer words, or a narrower time range.", 1, error));
      } else if (error instanceof SearchThreadLost) reject(unavailable("Searching is not possible for now.", 1, error));
      else {
        reject(error);
        this.#idle.push(thread);
      }
      // A thread that is told to end may take a moment; its successor need not wait for it.
      if (!this.#idle.includes(thread)) this.#threads.delete(thread);
    } finally {
      this.#dispatch();
    }
  }

  #startThread(): SearchThread {
    const { file } = this.#options;
    const { searchTotalMax: totalMax, snippetCharsMax } = limits;
    const thread = new SearchThread({ file, bounds: { totalMax, snippetCharsMax } });
    this.#threads.add(thread);
    this.#running.add(thread);
    void thread.ended.then(() => this.#forget(thread));
    return thread;
  }

  /** A thread that ended while idle must get no job. */
  #forget(thread: SearchThread): void {
    this.#threads.delete(thread);
    this.#running.delete(thread);
    const at = this.#idle.indexOf(thread);
    if (at >= 0) this.#idle.splice(at, 1);
  }
}
