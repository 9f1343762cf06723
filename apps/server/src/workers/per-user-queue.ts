import { tooManyWait, waitedTooLong } from "../domain-error.js";

interface Queue {
  waiting: Array<() => void>;
  ended: PromiseWithResolvers<void>;
}

/** Requests of one user that wait at most: more than a browser sends at once. Each holds what it was sent. */
const waitingMax = 64;
const waitMaxMs = 30_000;

/**
 * Runs the writes of one user one after the other: they do not make each other's changes stale, and a busy user takes one connection and
 * leaves the rest to others.
 */
export class PerUserQueue {
  readonly #queues = new Map<string, Queue>();

  /**
   * Runs `work` when all earlier work of the same user has ended, well or not. Rejects with `unavailable` at once when too many wait, and
   * when its turn has not come in time; then nothing was run.
   */
  async run<T>(userId: string, work: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(userId);
    if (queue) await this.#wait(queue);
    else this.#queues.set(userId, { waiting: [], ended: Promise.withResolvers() });
    try {
      return await work();
    } finally {
      this.#next(userId);
    }
  }

  /** Resolves when nothing is waiting or running. */
  async idle(): Promise<void> {
    while (this.#queues.size > 0) await Promise.all([...this.#queues.values()].map(({ ended }) => ended.promise));
  }

  async #wait({ waiting }: Queue): Promise<void> {
    if (waiting.length >= waitingMax) throw tooManyWait();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    waiting.push(resolve);
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(resolve), 1);
      reject(waitedTooLong());
    }, waitMaxMs);
    await promise.finally(() => clearTimeout(timer));
  }

  #next(userId: string): void {
    const queue = this.#queues.get(userId);
    const start = queue?.waiting.shift();
    if (start) return start();
    this.#queues.delete(userId);
    queue?.ended.resolve();
  }
}
