/** Users remembered at most, some 200 bytes each. */
const usersMax = 10_000;

interface Mark {
  /** Position of the primary's log by which the write is in it; infinite until the primary has been asked. */
  position: number;
  /** Time of `performance.now()` at which the write had ended. */
  at: number;
}

/**
 * What the users of this process have written through it, so that only replicas which have it are read for them. What every replica has
 * is forgotten and goes into one position that a replica needs for any user.
 */
export class OwnWrites {
  readonly #marks = new Map<string, Mark>();
  readonly #unsettled = new Set<Mark>();
  #anyUser: Mark;

  /** @param position of the primary's log when the process began: what is older is not remembered by user */
  constructor(position: number) {
    this.#anyUser = { position, at: 0 };
  }

  /** Has to be called before the write is acknowledged. */
  wrote(userId: string, at: number): void {
    const mark = { position: Infinity, at };
    this.#unsettled.add(mark);
    const before = this.#marks.get(userId);
    if (before) this.#unsettled.delete(before);
    // The last to write is the last of the map, so that positions rise.
    this.#marks.delete(userId);
    this.#marks.set(userId, mark);
    if (this.#marks.size > usersMax) for (const [oldest] of this.#marks) return this.#forgetUser(oldest);
  }

  /** The primary's log was at `position` or further when it was asked, which was at `askedAt` at the earliest. */
  sample(position: number, askedAt: number): void {
    for (const mark of this.#unsettled) {
      if (mark.at > askedAt) continue;
      mark.position = position;
      this.#unsettled.delete(mark);
    }
  }

  /** Whether a replica that has replayed the log up to `replayed` has all that the user wrote here. */
  isIn(replayed: number, userId: string): boolean {
    return replayed >= this.#anyUser.position && replayed >= (this.#marks.get(userId)?.position ?? 0);
  }

  /** Forgets what every replica in use has; `replayed` is the least of their positions. */
  forget(replayed: number): void {
    for (const [userId, { position }] of this.#marks) {
      if (position > replayed) return;
      this.#forgetUser(userId);
    }
  }

  #forgetUser(userId: string): void {
    const mark = this.#marks.get(userId);
    this.#marks.delete(userId);
    // Of two whose positions are yet to be told, this is the later one.
    if (!mark || mark.position < this.#anyUser.position) return;
    this.#unsettled.delete(this.#anyUser);
    this.#anyUser = mark;
  }
}
