import { DomainError } from "../../../domain-error.js";
import { isCancelled, isServerAtFault } from "../database-gone.js";
import type { Replica } from "./replica.js";
import type { Replicas } from "./replicas.js";

type Read<Stores, T> = (stores: Stores) => Promise<T>;

interface Target<Stores> {
  name: string;
  stores: Stores;
  run<T>(read: () => Promise<T>): Promise<T>;
  /** Whether a read that failed so may succeed at another server. */
  isAtFault(error: unknown): boolean;
}

/** Whatever else goes wrong at a replica is its own: it may lack a table that this version needs, or refuse the user of late. */
const isReplicaAtFault = (error: unknown) => !(error instanceof DomainError || isCancelled(error));

/** Chooses the server of a read, and another when that fails: a client sees an error only when no server is left that may answer. */
export class ReadRoutes<Stores> {
  readonly #primary: Target<Stores>;
  readonly #targets: ReadonlyMap<Replica, Target<Stores>>;

  /** @param storesOf what reads on a replica go through, `primary` being the same for the primary */
  constructor(
    private readonly replicas: Replicas,
    primary: Stores,
    storesOf: (replica: Replica) => Stores,
  ) {
    this.#primary = { name: "primary", stores: primary, run: (read) => read(), isAtFault: isServerAtFault };
    this.#targets = new Map(
      replicas.all.map((replica) => [
        replica,
        {
          name: replica.name,
          stores: storesOf(replica),
          run: (read) => replica.run(read),
          isAtFault: isReplicaAtFault,
        } satisfies Target<Stores>,
      ]),
    );
  }

  /** For a read that may miss what others than this process have just written: a replica's, by preference. */
  async read<T>(userId: string, read: Read<Stores, T>): Promise<T> {
    const [first, ...others] = this.#of(this.replicas.usedFor(userId));
    if (first === undefined) return await this.#firstOf([this.#primary], read);
    const order = this.replicas.isPrimarySilent ? [first, ...others, this.#primary] : [first, this.#primary, ...others];
    return await this.#firstOf(order, read);
  }

  /** For a read that must miss nothing: the primary's. Only when that does not answer, a replica that has the user's own writes. */
  async readStrictly<T>(userId: string, read: Read<Stores, T>): Promise<T> {
    return await this.replicas.orInOutage(
      () => this.#firstOf([this.#primary], read),
      () => this.#firstOf([...this.#of(this.replicas.usedFor(userId)), this.#primary], read),
    );
  }

  /** The same for what is nobody's own; not counted. */
  async ask<T>(read: Read<Stores, T>): Promise<T> {
    return await this.replicas.orInOutage(
      () => read(this.#primary.stores),
      () => this.#firstOf([...this.#of(this.replicas.used), this.#primary], read, false),
    );
  }

  async #firstOf<T>(targets: ReadonlyArray<Target<Stores>>, read: Read<Stores, T>, isCounted = true): Promise<T> {
    let failure: unknown;
    for (const { name, stores, run, isAtFault } of targets) {
      if (isCounted) this.replicas.observer.read(name);
      try {
        return await run(() => read(stores));
      } catch (error) {
        if (!isAtFault(error)) throw error;
        failure = error;
      }
    }
    throw failure;
  }

  #of(replicas: readonly Replica[]): Array<Target<Stores>> {
    return replicas.flatMap((replica) => this.#targets.get(replica) ?? []);
  }
}
