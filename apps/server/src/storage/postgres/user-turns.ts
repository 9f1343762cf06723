/** Lets the writers of one user take turns, so that a busy user waits with one connection and leaves the others to the rest. */
export class UserTurns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs `work` when everything that was given before for the same user has ended, well or not. */
  take<T>(userId: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(userId);
    const turn = before === undefined ? work() : before.then(work, work);
    this.#last.set(userId, turn);
    const forget = () => {
      if (this.#last.get(userId) === turn) this.#last.delete(userId);
    };
    turn.then(forget, forget);
    return turn;
  }

  /** Resolves when nothing is waiting or under way. */
  async idle(): Promise<void> {
    while (this.#last.size > 0) await Promise.allSettled(this.#last.values());
  }
}
