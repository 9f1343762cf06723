/** How a read replica is: `used` for reads, or left out because it lags, does not answer, or is no replica of the database. */
export type ReplicaStatus = "used" | "lagging" | "silent" | "unfit";

/** What is known of a read replica. */
export interface ReplicaState {
  /** `replica-1` is the first of DATABASE_REPLICA_URLS. */
  name: string;
  /** Host, port and database, as they may be printed. */
  place: string;
  status: ReplicaStatus;
  /** Milliseconds by which it is behind; undefined until it has answered. */
  lagMs: number | undefined;
  /** Why it is silent or unfit; its message is for nobody but the log. */
  failure?: unknown;
}

/** What is told of read replicas while the service runs. */
export interface ReplicaObserver {
  /** A read was sent to a server: `primary` or the name of a replica. */
  read(target: string): void;
  /** A replica was asked how it is, about once a second. */
  heard(state: ReplicaState): void;
  /** A replica's status is another than before, or its first. */
  changed(state: ReplicaState): void;
}

/** Standbys of the database that answer reads. */
export interface ReplicaOptions {
  /** `postgres:` URLs. */
  urls: readonly string[];
  /** Milliseconds past which a replica that lags is left out. */
  lagMsMax: number;
  observer: ReplicaObserver;
}
