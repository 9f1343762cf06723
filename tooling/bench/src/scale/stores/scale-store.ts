import type { RunningServer as Periscope } from "@periscope/harness/server";
import type { EngineName } from "../options.ts";
import type { UserName } from "../plan.ts";

/** Resident memory in MiB; what is not known on this system is absent. */
export interface StoreMemory {
  server?: number | undefined;
  serverPeak?: number | undefined;
  /** Of all processes of a database apart, what they share counted once. */
  database?: number | undefined;
}

/** A server over a database of its own. */
export interface ScaleStore extends AsyncDisposable {
  readonly engine: EngineName;
  /** Name and version of the database. */
  readonly database: string;
  readonly server: Periscope;
  /** Capture time of context 0, milliseconds since the epoch. */
  readonly epoch: number;
  /** A key of the user, who is made when missing. */
  keyOf(user: UserName): Promise<string>;
  /** Contexts in the database. */
  count(): Promise<number>;
  /** Brings the database to the state that it has after a quiet time, and says how. */
  settle(): Promise<string>;
  /** Bytes on disk of all that the service keeps. */
  bytes(): Promise<number>;
  memory(): StoreMemory;
  /** Seconds of processor time that server and database have taken since they started; undefined where the system does not tell. */
  processorSeconds(): number | undefined;
  /** Raw SQL on the same engine. */
  readonly floor: Floor;
}

/** A place in history: the page after this context. */
export interface HistoryPlace {
  capturedAt: number;
  contextId: string;
}

/** What is asked of the floor. */
export type FloorQuestion =
  | { kind: "current" | "history" }
  | { kind: "history-deep"; place: HistoryPlace }
  | { kind: "search"; text: string }
  | { kind: "url"; part: string };

/** Contexts of one user by number: from `first`, below `end`. */
export interface NumberRange {
  user: UserName;
  first: number;
  end: number;
}

/**
 * The same work by raw SQL: reads on the server's own tables, inserts and full-text search on tables beside them that have the same
 * rows, except that rows which were not inserted for the clock have no text there.
 */
export interface Floor {
  /** Brings rows and full-text index up to what the server has below this number, by means of the database alone. */
  fill(end: number, progress: (filled: number) => void): Promise<void>;
  /**
   * Inserts the server's rows of these batches, each in a transaction, and then puts them into the full-text index.
   * Reading them does not count. Seconds of both parts.
   */
  insert(batches: readonly NumberRange[]): Promise<{ rows: number; index: number }>;
  /** Answers a question as rows; resolves when all are there. */
  ask(user: UserName, question: FloorQuestion): Promise<void>;
}
