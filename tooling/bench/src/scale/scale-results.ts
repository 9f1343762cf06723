import type { Machine } from "../measure/machine.ts";
import type { EngineName, PeerName } from "./options.ts";
import type { ReadKind, ReadSide } from "./reads/kinds.ts";
import type { StoreMemory } from "./stores/scale-store.ts";

/** How long questions of one kind took. Milliseconds. */
export interface ReadResult {
  kind: ReadKind;
  side: ReadSide;
  samples: number;
  /** Answers other than 200; they count by the time they took. */
  failures: number;
  p50: number;
  p95: number;
  p99: number;
  /** Processor time of server and database a question, on average. Milliseconds. */
  processor?: number | undefined;
  /** Median of how many contexts a search found, by some of the searches. */
  found?: number | undefined;
}

/** The same with several clients at once. */
export interface TogetherResult extends ReadResult {
  clients: number;
  perSecond: number;
}

/** One turn of writes at the end of a size: batch-sync over HTTP, then the same rows by raw SQL. Seconds. */
export interface IngestTurn {
  contexts: number;
  server: number;
  /** Processor time of the server and its database. */
  serverProcessor?: number | undefined;
  floorRows: number;
  floorIndex: number;
}

/** All that was measured with so many contexts in the store. */
export interface SizeResult {
  contexts: number;
  users: number;
  ingest: IngestTurn[];
  /** What was done before the reads. */
  settled: string;
  settleSeconds: number;
  bytes: number;
  memoryBefore: StoreMemory;
  memoryAfter: StoreMemory;
  reads: ReadResult[];
  together: TogetherResult[];
}

export interface EngineResult {
  engine: EngineName;
  database: string;
  sizes: SizeResult[];
}

export interface PeerSize {
  contexts: number;
  perSecond: number;
  bytes: number;
  /** Resident at the highest, MiB. */
  memory: number | undefined;
  reads: Array<Omit<ReadResult, "side">>;
}

export interface PeerResult {
  peer: PeerName;
  /** Its version, or that it is not installed. */
  version: string;
  /** Why it went no further. */
  failure?: string;
  sizes: PeerSize[];
}

/** A run of the benchmark, as it is kept. */
export interface ScaleResults {
  at: string;
  machine: Machine;
  samples: number;
  engines: EngineResult[];
  peers: PeerResult[];
}
