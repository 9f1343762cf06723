import type pg from "pg";
import { placeOf } from "../../../database-url.js";
import type { ReplicaObserver, ReplicaState, ReplicaStatus } from "../../replica-options.js";
import { type PoolOptions, openPool } from "../pool.js";
import type { PrimaryPositions } from "./primary-positions.js";
import { identity, type ServerIdentity } from "./server-identity.js";
import { ServerWatch } from "./server-watch.js";

/** What a replica is asked. */
const question = `SELECT ${identity}, pg_is_in_recovery() AS "isStandby", pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::float8 AS replayed,
  (extract(epoch FROM now() - pg_last_xact_replay_timestamp()) * 1000)::float8 AS "ageMs"`;

interface ReplicaAnswer extends ServerIdentity {
  isStandby: boolean;
  replayed: number | null;
  ageMs: number | null;
}

export interface ReplicaSurroundings {
  /** What the primary is. */
  primary: ServerIdentity;
  positions: PrimaryPositions;
  isPrimarySilent: () => boolean;
  lagMsMax: number;
  observer: ReplicaObserver;
  pool: PoolOptions;
}

/** A standby that is watched, and read while it is in use. */
export class Replica {
  readonly name: string;
  readonly place: string;
  readonly pool: pg.Pool;
  readonly watch: ServerWatch<ReplicaAnswer & pg.QueryResultRow>;
  readonly #surroundings: ReplicaSurroundings;
  #state: Pick<ReplicaState, "lagMs" | "failure"> & { status: ReplicaStatus | undefined } = { status: undefined, lagMs: undefined };
  /** Reads under way, each as what gives it up. */
  readonly #running = new Set<(reason: unknown) => void>();
  /** Position of the log up to which it has what the primary has. */
  replayed = 0;

  constructor(url: string, number: number, surroundings: ReplicaSurroundings) {
    this.name = `replica-${number}`;
    this.place = placeOf(url);
    this.#surroundings = surroundings;
    this.pool = openPool(url, surroundings.pool);
    this.watch = new ServerWatch(url, question, {
      answered: (answer) => this.#answered(answer),
      silent: (failure) => this.#become({ status: "silent", lagMs: this.#state.lagMs, failure }),
    });
  }

  get isUsed(): boolean {
    return this.#state.status === "used";
  }

  get state(): ReplicaState {
    const { status = "silent", ...known } = this.#state;
    return { name: this.name, place: this.place, status, ...known };
  }

  /** Runs a read here. Rejects also when the server stops answering meanwhile, however long its connections would still wait. */
  async run<T>(read: () => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#running.add(reject);
    try {
      read().then(resolve, reject);
      return await promise;
    } finally {
      this.#running.delete(reject);
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.watch.close(), this.pool.end()]);
  }

  #answered({ isStandby, replayed, ageMs, ...found }: ReplicaAnswer): void {
    const { primary, positions, isPrimarySilent, lagMsMax } = this.#surroundings;
    if (found.system !== primary.system || found.database !== primary.database)
      return this.#become({ status: "unfit", lagMs: undefined, failure: new Error("belongs to another database than DATABASE_URL names") });
    if (!isStandby || replayed === null)
      return this.#become({ status: "unfit", lagMs: undefined, failure: new Error("is no standby: it takes writes of its own") });
    this.replayed = replayed;
    const lagMs = positions.lagMs(replayed, ageMs ?? 0, { now: performance.now(), isSilent: isPrimarySilent() });
    this.#become({ status: lagMs > lagMsMax ? "lagging" : "used", lagMs });
  }

  #become(state: Omit<ReplicaState, "name" | "place">): void {
    const before = this.#state.status;
    this.#state = state;
    if (state.status === "silent") for (const giveUp of this.#running) giveUp(state.failure);
    const { observer } = this.#surroundings;
    observer.heard(this.state);
    if (state.status !== before) observer.changed(this.state);
  }
}
