/** Things that are kept in memory: at so many they are written early, and while that fails no more are taken. */
const itemsMax = 10_000;

export interface WriteBehindOptions<Item> {
  /** Of the items of a user with one key, one is kept. */
  toKey: (item: Item) => string;
  /** One item of two with the same key. */
  merge: (known: Item, added: Item) => Item;
  write: (userId: string, items: readonly Item[]) => Promise<void>;
  /** Called when items could not be written. They are kept, and written with the next ones. */
  onFailure: (error: unknown) => void;
}

/**
 * Notes about users that are gathered in memory, so that they cost requests nothing, and written by `flush`. A crash loses what was
 * gathered since.
 */
export class WriteBehind<Item> {
  readonly #options: WriteBehindOptions<Item>;
  /** By user, then by key. */
  #waiting = new Map<string, Map<string, Item>>();
  #count = 0;
  #writing = Promise.resolve();

  constructor(options: WriteBehindOptions<Item>) {
    this.#options = options;
  }

  add(userId: string, item: Item): void {
    if (this.#keep(userId, item) && this.#count === itemsMax) void this.flush();
  }

  /** Whether the item is one more. */
  #keep(userId: string, item: Item): boolean {
    const { toKey, merge } = this.#options;
    let items = this.#waiting.get(userId);
    if (!items) this.#waiting.set(userId, (items = new Map()));
    const key = toKey(item);
    const known = items.get(key);
    if (known === undefined && this.#count >= itemsMax) return false;
    items.set(key, known === undefined ? item : merge(known, item));
    if (known === undefined) this.#count++;
    return known === undefined;
  }

  waiting(userId: string): Item[] {
    return [...(this.#waiting.get(userId)?.values() ?? [])];
  }

  /** Writes what was gathered, and waits for an earlier call. Never rejects. */
  flush(): Promise<void> {
    return (this.#writing = this.#writing.then(() => this.#write()));
  }

  async #write(): Promise<void> {
    const taken = this.#waiting;
    this.#waiting = new Map();
    this.#count = 0;
    for (const [userId, items] of taken) {
      const values = [...items.values()];
      await this.#options.write(userId, values).catch((error: unknown) => {
        // Tried again with the next ones, not at once: the disk may be full.
        for (const item of values) this.#keep(userId, item);
        this.#options.onFailure(error);
      });
    }
  }
}
