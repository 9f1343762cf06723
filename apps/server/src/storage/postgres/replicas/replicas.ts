import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import { placeOf } from "../../../database-url.js";
import { hashOf } from "../../../search/analysis/term-hash.js";
import type { ReplicaObserver, ReplicaOptions } from "../../replica-options.js";
import { connect, explainConnection } from "../connect.js";
import { databaseGone, isServerAtFault } from "../database-gone.js";
import type { PoolOptions } from "../pool.js";
import { OwnWrites } from "./own-writes.js";
import { PrimaryPositions } from "./primary-positions.js";
import { Replica } from "./replica.js";
import { identity, position, type ServerIdentity } from "./server-identity.js";
import { ServerWatch } from "./server-watch.js";

interface PrimaryAnswer extends ServerIdentity {
  position: number;
}

/** A server that is stalled answers no goodbye. */
const goodbyeMs = 1_000;

/** The standbys of a database, and what this process knows of them and of their primary. */
export class Replicas {
  readonly all: readonly Replica[];
  readonly observer: ReplicaObserver;
  readonly #writes: OwnWrites;
  readonly #watch: ServerWatch<PrimaryAnswer & pg.QueryResultRow>;
  #isPrimarySilent = false;
  #outages = 0;

  private constructor(
    databaseUrl: string,
    { urls, lagMsMax, observer }: ReplicaOptions,
    { primary, pool }: { primary: PrimaryAnswer; pool: PoolOptions },
  ) {
    this.observer = observer;
    this.#writes = new OwnWrites(primary.position);
    const positions = new PrimaryPositions();
    positions.sample(primary.position, performance.now());
    this.#watch = new ServerWatch(databaseUrl, `SELECT ${identity}, ${position}`, {
      answered: (answer, askedAt) => {
        if (this.#isPrimarySilent) this.#outages++;
        this.#isPrimarySilent = false;
        positions.sample(answer.position, performance.now());
        this.#writes.sample(answer.position, askedAt);
      },
      silent: () => void (this.#isPrimarySilent = true),
    });
    const isPrimarySilent = () => this.#isPrimarySilent;
    const forgetting: ReplicaObserver = {
      ...observer,
      heard: (state) => {
        observer.heard(state);
        this.#forget();
      },
    };
    this.all = urls.map(
      (url, index) => new Replica(url, index + 1, { primary, positions, isPrimarySilent, lagMsMax, observer: forgetting, pool }),
    );
  }

  /**
   * Begins to watch. A replica that does not answer is left out until it does; one that is none of the database, or that refuses the
   * user, is a mistake of whoever set it: then this rejects and says what to do.
   */
  static async open(databaseUrl: string, options: ReplicaOptions, pool: PoolOptions): Promise<Replicas> {
    const primary = await askPrimary(databaseUrl);
    const replicas = new Replicas(databaseUrl, options, { primary, pool });
    await Promise.all([replicas.#watch.ask(), ...replicas.all.map(({ watch }) => watch.ask())]);
    const refused = options.urls.map((url, index) => refusal(url, replicas.all[index])).find((message) => message !== undefined);
    if (refused === undefined) return replicas;
    await replicas.close();
    throw new Error(refused);
  }

  /** Those that may be read for a user, the one that is read for this user by default first: who reads again finds no less than before. */
  usedFor(userId: string): Replica[] {
    const able = this.all.filter(({ isUsed, replayed }) => isUsed && this.#writes.isIn(replayed, userId));
    if (able.length < 2) return able;
    // By a number for each pair: a replica that goes or comes changes nothing for the users of the others.
    const place = ({ name }: Replica) => hashOf(`${name} ${userId}`);
    return able.toSorted((one, other) => place(one) - place(other));
  }

  /** Those that may be read for whoever has written nothing. */
  get used(): Replica[] {
    return this.all.filter(({ isUsed }) => isUsed);
  }

  /** Whether the primary does not answer, as far as is known. */
  get isPrimarySilent(): boolean {
    return this.#isPrimarySilent;
  }

  /** How often the primary was silent and answers again: what a replica has told of keys meanwhile may be behind what was known before. */
  get outages(): number {
    return this.#outages;
  }

  /** Runs what needs the primary; in an outage, when that does not answer and a replica does, what is done instead. */
  async orInOutage<T>(work: () => Promise<T>, instead: () => Promise<T>): Promise<T> {
    if (this.#isPrimarySilent && this.used.length > 0) return await instead();
    try {
      return await work();
    } catch (error) {
      if (!isServerAtFault(error)) throw error;
      await this.#watch.ask();
      if (this.#isPrimarySilent && this.used.length > 0) return await instead();
      throw error;
    }
  }

  /** Runs a write of a user. When it has succeeded, only replicas that have it are read for the user. */
  async write<T>(userId: string, work: () => Promise<T>): Promise<T> {
    const value = await work();
    this.#writes.wrote(userId, performance.now());
    this.#watch.askSoon();
    return value;
  }

  async close(): Promise<void> {
    const closing = [this.#watch, ...this.all].map((each) => each.close());
    await Promise.race([Promise.all(closing), pause(goodbyeMs, undefined, { ref: false })]);
  }

  #forget(): void {
    const used = this.used.map(({ replayed }) => replayed);
    if (used.length > 0) this.#writes.forget(Math.min(...used));
  }
}

async function askPrimary(databaseUrl: string): Promise<PrimaryAnswer> {
  const client = await connect(databaseUrl, { query_timeout: 30_000 });
  try {
    const { rows } = await client.query<PrimaryAnswer & { isCitus: boolean }>(
      `SELECT ${identity}, ${position}, EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'citus') AS "isCitus"`,
    );
    const [answer] = rows;
    if (!answer) throw new Error("a SELECT without FROM gives a row");
    if (answer.isCitus)
      throw new Error(
        `DATABASE_REPLICA_URLS cannot be combined with Citus: one machine's log says nothing about the others'. Leave it empty; ${placeOf(databaseUrl)} spreads reads over its machines.`,
      );
    return answer;
  } finally {
    await client.end();
  }
}

/** Why the service must not start with this replica; undefined when it may, if only to wait for it. */
function refusal(url: string, replica: Replica | undefined): string | undefined {
  const { status, failure } = replica?.state ?? {};
  if (status === "unfit" && failure instanceof Error)
    return `DATABASE_REPLICA_URLS: ${placeOf(url)} ${failure.message}. Name streaming standbys of the database that DATABASE_URL names.`;
  if (status === "silent" && databaseGone(failure) === undefined) return explainConnection(failure, url, "DATABASE_REPLICA_URLS");
  return undefined;
}
