import { tooManyWait, waitedTooLong } from "../domain-error.js";

interface Job {
  start: () => void;
  reject: (error: unknown) => void;
}

interface User {
  waiting: Job[];
  /** When each running job began. */
  running: Set<{ at: number }>;
  /** Milliseconds of slot time as of `usedAt`; halves every {@link halfLifeMs}. */
  used: number;
  usedAt: number;
}

/** Time that a user used counts half after this time. */
const halfLifeMs = 10_000;
/** Jobs of one user that may wait, and milliseconds that one waits at most. */
const waitingMax = 256;
const waitMaxMs = 30_000;
/** Users that are remembered for their use of time before those without any are dropped. */
const usersKept = 1_000;

/**
 * Runs a few jobs at once, fair between users: each has a queue of its own, whoever used the least time lately goes first, one user has at
 * most half of the slots while others wait, and one slot stays free for whoever comes next.
 */
export class FairQueue {
  readonly #users = new Map<string, User>();
  readonly #slots: number;
  #running = 0;

  constructor(slots: number) {
    this.#slots = slots;
  }

  /** Runs `work` when it is its turn. Rejects with `unavailable` when too many jobs of the user wait, and when its turn has not come in time. */
  run<T>(userId: string, work: () => Promise<T>): Promise<T> {
    const user = this.#user(userId);
    if (user.waiting.length >= waitingMax) return Promise.reject(tooManyWait());
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const job: Job = { start: () => void this.#perform(user, work).then(resolve, reject), reject };
    user.waiting.push(job);
    this.#startNext();
    if (!user.waiting.includes(job)) return promise;
    const timer = setTimeout(() => {
      user.waiting = user.waiting.filter((each) => each !== job);
      reject(waitedTooLong());
    }, waitMaxMs).unref();
    return promise.finally(() => clearTimeout(timer));
  }

  rejectWaiting(error: Error): void {
    for (const { waiting } of this.#users.values()) for (const { reject } of waiting.splice(0)) reject(error);
  }

  async #perform<T>(user: User, work: () => Promise<T>): Promise<T> {
    const job = { at: performance.now() };
    user.running.add(job);
    this.#running++;
    try {
      return await work();
    } finally {
      const now = performance.now();
      user.running.delete(job);
      user.used = usedLately(user, now) + now - job.at;
      user.usedAt = now;
      this.#running--;
      this.#startNext();
    }
  }

  #startNext(): void {
    while (this.#running < this.#slots) {
      const job = this.#nextUser()?.waiting.shift();
      if (!job) return;
      job.start();
    }
  }

  /** Of the users who may have one more slot, the one who used the least time lately. */
  #nextUser(): User | undefined {
    const now = performance.now();
    const waiting = [...this.#users.values()].filter((user) => user.waiting.length > 0);
    const runningMax = Math.max(1, waiting.length > 1 ? Math.floor(this.#slots / 2) : this.#slots - 1);
    const usedBy = (user: User) => [...user.running].reduce((sum, { at }) => sum + now - at, usedLately(user, now));
    const [next] = waiting
      .filter((user) => user.running.size < runningMax)
      .map((user) => ({ user, used: usedBy(user) }))
      .sort((one, other) => one.used - other.used);
    return next?.user;
  }

  #user(userId: string): User {
    const known = this.#users.get(userId);
    if (known) return known;
    const now = performance.now();
    if (this.#users.size >= usersKept) {
      for (const [id, user] of this.#users)
        if (user.waiting.length === 0 && user.running.size === 0 && usedLately(user, now) < 1) this.#users.delete(id);
    }
    const user: User = { waiting: [], running: new Set(), used: 0, usedAt: now };
    this.#users.set(userId, user);
    return user;
  }
}

function usedLately({ used, usedAt }: User, now: number): number {
  return used * 2 ** ((usedAt - now) / halfLifeMs);
}
