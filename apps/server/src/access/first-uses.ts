/** What a person's keys have been used for since this process started. */
export interface KeyUses {
  /** An agent has called a tool over MCP. */
  agent: boolean;
  /** A program has read over the REST interface. */
  api: boolean;
}

const usersMax = 10_000;

/** Remembers what keys are used for, so that the first steps in the portal are seen to happen. Nothing else depends on it. */
export class FirstUses {
  readonly #uses = new Map<string, KeyUses>();

  note(userId: string, use: keyof KeyUses): void {
    if (this.#uses.size >= usersMax) this.#uses.clear();
    this.#uses.set(userId, { ...this.find(userId), [use]: true });
  }

  find(userId: string): KeyUses {
    return this.#uses.get(userId) ?? { agent: false, api: false };
  }
}
