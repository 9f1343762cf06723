import { Worker, type WorkerOptions } from "node:worker_threads";
import type { FailedClosed } from "../privacy/privacy-filter.js";
import { sourceThreadOptions } from "../source-resolver.js";
import type { NumberedJob, PreparationAnswer, PreparationJob } from "./preparation-messages.js";
import type { PreparedCapture } from "./prepared-capture.js";

/** A thread holds one job and what it makes of it. */
const resourceLimits = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 512 };

/** A thread without a job is ended after this time, so that its memory is not kept for the next busy hour. Milliseconds. */
const restMs = 30_000;

/** What becomes of a job. */
export interface JobEvents {
  prepared: (place: number, prepared: PreparedCapture) => void;
  failedClosed: (failed: FailedClosed) => void;
  /** The thread takes no more of the job; of what it has claimed something is missing when it failed. */
  ended: () => void;
}

/** A thread that prepares captures, job after job. What it sends has passed the filter there, and keeps its type. */
export class PreparationThread {
  readonly #jobs = new Map<number, JobEvents>();
  readonly #worker: Worker;
  #given = 0;
  #isReady = false;
  #isGone = false;
  #rest: NodeJS.Timeout | undefined;

  constructor() {
    const { url, options } = workerModule();
    this.#worker = new Worker(url, { ...options, name: "periscope-preparation", resourceLimits });
    // A thread that waits for a job keeps no process alive.
    this.#worker.unref();
    this.#worker.on("message", (answer: PreparationAnswer) => this.#take(answer));
    // Whoever gave a job does it then.
    this.#worker.on("error", () => this.#lose());
    this.#worker.on("exit", () => this.#lose());
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  /** Whether it has started. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** Jobs that are waiting or under way. */
  get jobs(): number {
    return this.#jobs.size;
  }

  /** Throws, and knows of no job, when what is given cannot be sent to a thread. */
  give(job: PreparationJob, events: JobEvents): void {
    const numbered: NumberedJob = { ...job, job: this.#given + 1 };
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window and has no origin
    this.#worker.postMessage(numbered);
    clearTimeout(this.#rest);
    this.#jobs.set(++this.#given, events);
  }

  async end(): Promise<void> {
    this.#isGone = true;
    clearTimeout(this.#rest);
    await this.#worker.terminate();
  }

  #take(answer: PreparationAnswer): void {
    this.#isReady = true;
    const job = this.#jobs.get(answer.job);
    if (!job) return;
    if (!("error" in answer)) {
      for (const [place, prepared] of answer.prepared) job.prepared(place, prepared);
      for (const failed of answer.failures) job.failedClosed(failed);
      if (!answer.done) return;
    }
    this.#jobs.delete(answer.job);
    if (this.#jobs.size === 0) this.#rest = setTimeout(() => void this.end(), restMs).unref();
    job.ended();
  }

  #lose(): void {
    this.#isGone = true;
    const lost = [...this.#jobs.values()];
    this.#jobs.clear();
    for (const job of lost) job.ended();
  }
}

/** Where the thread's code is: beside the bundle, or, when this runs from its source, the TypeScript file itself. */
function workerModule(): { url: URL; options: WorkerOptions } {
  if (!import.meta.url.endsWith(".ts")) return { url: new URL("./preparation-worker.js", import.meta.url), options: {} };
  return { url: new URL("./preparation-worker.ts", import.meta.url), options: sourceThreadOptions };
}
