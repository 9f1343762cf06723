/** Who a batch belongs to. Sizes are told apart by their place in the list. */
export type UserName = "heavy" | `light-${number}` | `other-${number}`;

export interface Batch {
  user: UserName;
  /** Numbers of the documents in it, from this one on. A light user's documents are the same whatever the size. */
  document: number;
}

/** Contexts that a light user has, of any size. */
const lightContexts = 1_000;
const lightBatches = 10;
const batchSizeMax = 100;
/** Users among whom the rest is spread, and how many contexts of the smallest size there are for each of them at least. */
const others = { most: 200, contexts: 50 };
/** Documents of the light users begin here, past those of all others. */
const lightDocuments = 1_000_000_000;

/**
 * Who writes what, in which order, into a store that grows through `sizes`: the heavy user every other batch, and of each size a light user whose
 * few contexts lie spread over all of that size. A light user of its own for every size, since the contexts of only one would all be among the
 * first of a store that grows.
 */
export class Plan {
  readonly sizes: readonly number[];
  readonly batchSize: number;
  readonly #users: readonly UserName[];
  readonly #documents: readonly number[];

  /** @param sizes contexts, each more than the one before @throws Error when they do not make whole batches */
  constructor(sizes: readonly number[]) {
    this.sizes = sizes;
    this.batchSize = batchSizeOf(sizes[0] ?? 0);
    const count = (sizes.at(-1) ?? 0) / this.batchSize;
    if (sizes.some((size) => size % this.batchSize !== 0))
      throw new Error(`Sizes are multiples of ${this.batchSize}, not ${sizes.join(", ")}.`);
    const users: Array<UserName | undefined> = Array.from({ length: count }, (_, batch) => (batch % 2 === 0 ? "heavy" : undefined));
    const documents = Array.from({ length: count }, (_, batch) => batch * this.batchSize);
    for (const [index, size] of sizes.entries()) this.#spreadLight(users, documents, { index, batches: size / this.batchSize });
    const rest = Math.min(others.most, Math.ceil((sizes[0] ?? 0) / others.contexts));
    this.#users = users.map((user, batch): UserName => user ?? `other-${((batch - 1) / 2) % rest}`);
    this.#documents = documents;
  }

  batch(index: number): Batch {
    return { user: this.#users[index] ?? "heavy", document: this.#documents[index] ?? 0 };
  }

  /** Batches in a store of this many contexts. */
  batchesOf(contexts: number): number {
    return contexts / this.batchSize;
  }

  /** Users of the first `batches` batches, each once. */
  usersIn(batches: number): UserName[] {
    return [...new Set(this.#users.slice(0, batches))];
  }

  /** Batches of one user among the first `batches`. */
  batchesBy(user: UserName, batches: number): number[] {
    return Array.from({ length: batches }, (_, index) => index).filter((index) => this.#users[index] === user);
  }

  #spreadLight(users: Array<UserName | undefined>, documents: number[], { index, batches }: { index: number; batches: number }): void {
    const wanted = Math.min(lightBatches, Math.floor(batches / 10));
    for (let part = 0; part < wanted; part += 1) {
      let at = Math.floor(((part + 0.5) * batches) / wanted) | 1;
      while (users[at] !== undefined && at + 2 < batches) at += 2;
      users[at] = `light-${index}`;
      documents[at] = lightDocuments + part * this.batchSize;
    }
  }
}

/** Of 1,000 contexts in 10 batches, less where the smallest size is less than ten times that. */
function batchSizeOf(smallest: number): number {
  return Math.max(1, Math.min(batchSizeMax, Math.floor(Math.min(lightContexts, smallest / 10) / lightBatches)));
}
