import { unavailable } from "../../domain-error.js";

interface Waiting {
  userId: string;
  start: () => void;
}

/**
 * Room for a few searches at once, so that they never take every connection. Among those that wait, a user who has none under way
 * comes before one who has.
 */
export class Slots {
  readonly #waiting: Waiting[] = [];
  readonly #running = new Map<string, number>();
  #free: number;

  constructor(
    slots: number,
    private readonly waitingMax: number,
  ) {
    this.#free = slots;
  }

  /** Runs `work` when there is room. Rejects with `unavailable` at once when too many wait. */
  async run<T>(userId: string, work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else if (this.#waiting.length >= this.waitingMax) throw unavailable("Too many searches at once; try again shortly.", 1);
    else await new Promise<void>((start) => this.#waiting.push({ userId, start }));
    this.#running.set(userId, (this.#running.get(userId) ?? 0) + 1);
    try {
      return await work();
    } finally {
      const left = (this.#running.get(userId) ?? 1) - 1;
      if (left > 0) this.#running.set(userId, left);
      else this.#running.delete(userId);
      this.#next();
    }
  }

  #next(): void {
    const counts = this.#waiting.map(({ userId }) => this.#running.get(userId) ?? 0);
    const [next] = this.#waiting.splice(counts.indexOf(Math.min(...counts)), 1);
    if (next) next.start();
    else this.#free++;
  }
}
