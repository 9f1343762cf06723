import { Worker, type WorkerOptions } from "node:worker_threads";
import type { FoundPage } from "../../search/search.store.js";
import { sourceThreadOptions } from "../../source-resolver.js";
import type { SearchAnswer, SearchJob, SearchWorkerData } from "./search-worker-messages.js";

/** A search ran out of its time. */
export class SearchTimeout extends Error {
  override readonly name = "SearchTimeout";
}

/** A search thread ended, or could not start. */
export class SearchThreadLost extends Error {
  override readonly name = "SearchThreadLost";
}

/** A search holds a page of results and their texts; what it leaves behind should not pile up beside the service's own heap. */
const resourceLimits = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 256 };

/** One thread and the job that it has. */
export class SearchThread {
  readonly ended: Promise<void>;
  /** Resolves when its database is open, or when there will be none. */
  readonly #started: Promise<void>;
  readonly #worker: Worker;
  #settle: { resolve: (page: FoundPage) => void; reject: (error: Error) => void } | undefined;

  constructor(data: SearchWorkerData) {
    const { url, options } = workerModule();
    this.#worker = new Worker(url, { ...options, workerData: data, name: "periscope-search", resourceLimits });
    // A thread that waits for a job keeps no process alive.
    this.#worker.unref();
    this.#started = new Promise((resolve) => {
      this.#worker.once("message", () => resolve());
      this.#worker.once("exit", () => resolve());
    });
    this.#worker.on("message", (answer: SearchAnswer) => this.#take(answer));
    this.#worker.on("error", (cause: unknown) => this.#fail(new SearchThreadLost("The search thread failed.", { cause })));
    this.ended = new Promise((resolve) => {
      this.#worker.once("exit", () => {
        this.#fail(new SearchThreadLost("The search thread ended."));
        resolve();
      });
    });
  }

  /**
   * Runs a job; one at a time. Rejects with `SearchTimeout` after `timeoutMs`, and with `SearchThreadLost` when the thread is gone:
   * after either this thread takes no more jobs.
   */
  async run(job: SearchJob, timeoutMs: number): Promise<FoundPage> {
    this.#worker.ref();
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<FoundPage>((resolve, reject) => {
        this.#settle = { resolve, reject };
        timer = setTimeout(() => {
          this.#fail(new SearchTimeout(`The search took longer than ${timeoutMs} ms.`));
          void this.end();
        }, timeoutMs);
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window and has no origin
        this.#worker.postMessage(job);
      });
    } finally {
      clearTimeout(timer);
      this.#settle = undefined;
      this.#worker.unref();
    }
  }

  /** Ends the thread, in the middle of a statement too: it stops at the next row. */
  async end(): Promise<void> {
    // In the middle of loading the database driver, it would take the whole process with it.
    await this.#started;
    await this.#worker.terminate();
  }

  #take(answer: SearchAnswer): void {
    if ("page" in answer) this.#settle?.resolve(answer.page);
    else if ("error" in answer) this.#fail(Object.assign(answer.error, { code: answer.code }));
  }

  #fail(error: Error): void {
    this.#settle?.reject(error);
  }
}

/** Where the thread's code is: beside the bundle as `search-worker.js`, or, when this runs from its source, the TypeScript file itself. */
function workerModule(): { url: URL; options: WorkerOptions } {
  if (!import.meta.url.endsWith(".ts")) return { url: new URL("./search-worker.js", import.meta.url), options: {} };
  return { url: new URL("./search-worker.ts", import.meta.url), options: sourceThreadOptions };
}
