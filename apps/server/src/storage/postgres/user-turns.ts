import { unavailable } from "../../domain-error.js";

interface Queue {
  waiting: Array<() => void>;
  ended: PromiseWithResolvers<void>;
}

/** Writers of one user that wait at most, besides the one whose turn it is: more than a browser sends at once. Each holds what it was sent. */
const waitingMax = 64;
/** Milliseconds that a writer waits for its turn at most. */
const waitMaxMs = 10_000;

/** Lets the writers of one user take turns, so that a busy user waits with one connection and leaves the others to the rest. */
export class UserTurns {
  readonly #queues = new Map<string, Queue>();

  /** @param waitMs milliseconds that a writer waits for its turn at most */
  constructor(private readonly waitMs = waitMaxMs) {}

  /**
   * Runs `work` when everything that was given before for the same user has ended, well or not. Rejects with `unavailable` at once when too
   * many wait, and when its turn has not come in time; then nothing was run.
   */
  async take<T>(userId: string, work: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(userId);
    if (queue) await this.#turn(queue);
    else this.#queues.set(userId, { waiting: [], ended: Promise.withResolvers() });
    try {
      return await work();
    } finally {
      this.#next(userId);
    }
  }

  /** Resolves when nothing is waiting or under way. */
  async idle(): Promise<void> {
    while (this.#queues.size > 0) await Promise.all([...this.#queues.values()].map(({ ended }) => ended.promise));
  }

  async #turn({ waiting }: Queue): Promise<void> {
    if (waiting.length >= waitingMax) throw tooMany();
    await new Promise<void>((resolve, reject) => {
      const start = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(start), 1);
        reject(tooMany());
      }, this.waitMs);
      waiting.push(start);
    });
  }

  #next(userId: string): void {
    const queue = this.#queues.get(userId);
    const start = queue?.waiting.shift();
    if (start) return start();
    this.#queues.delete(userId);
    queue?.ended.resolve();
  }
}

const tooMany = () => unavailable("Too many changes of this user wait for each other; send fewer at once, or in one batch.", 1);
