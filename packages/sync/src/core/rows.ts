/**
 * How long a message stays when there is no room for all: lower ranks go first. 0 heartbeats, 1 navigations, 2 pages and what repeats them,
 * 3 what a person did or a program chose to send, 4 what must not go missing at all: deletes.
 */
export type Rank = 0 | 1 | 2 | 3 | 4;

/** A wait that ends. Its length is kept beside its end: a clock that was set back must not make it longer. */
export interface Wait {
  /** Milliseconds since the epoch. */
  until: number;
  ms: number;
}

/** What is known of a waiting message without reading it. */
export interface Head {
  /** Place in the queue. */
  seq: number;
  partition: string;
  id: string;
  rank: Rank;
  /** 1 once the message may have left this machine. */
  sent: 0 | 1;
  /** Messages with equal keys replace each other while they are not sent. */
  mergeKey?: string;
  /** The site whose pages caused it. */
  site?: string;
  /** UTF-8 bytes of the message as JSON. */
  bytes: number;
  queuedAt: number;
  /** How often it was chosen to be sent. */
  attempts: number;
  /** How often it was chosen since somebody last lived to tell what became of it. */
  starts: number;
  wait?: Wait;
}

/** A message that is not sent again unless somebody says so. */
export interface DeadHead extends Head {
  code: string;
  message: string;
  diedAt: number;
}

const isCount = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value) && value >= 0;

/** A head as it was stored; undefined when it is none, as after damage or by another program's hand. */
export function readHead(row: unknown): Head | undefined {
  if (typeof row !== "object" || row === null) return undefined;
  const head = row as Head;
  const { seq, partition, id, rank, sent, mergeKey, bytes, queuedAt, attempts, starts, wait } = head;
  const isWhole =
    [seq, rank, sent, bytes, attempts, starts].every(isCount) &&
    Number.isFinite(queuedAt) &&
    typeof partition === "string" &&
    typeof id === "string" &&
    (mergeKey === undefined || typeof mergeKey === "string") &&
    (wait === undefined || (Number.isFinite(wait.until) && isCount(wait.ms)));
  return isWhole ? head : undefined;
}

/** The seq of a row that may be damaged. */
export function seqOf(row: unknown): number | undefined {
  const seq = (row as Partial<Head> | null)?.seq;
  return typeof seq === "number" ? seq : undefined;
}

/** Milliseconds until a wait ends; 0 when it has. Never more than its whole length, wherever the clock stands. */
export function leftOf(wait: Wait | undefined, now: number): number {
  return wait === undefined ? 0 : Math.max(0, Math.min(wait.until - now, wait.ms));
}

/** The same wait, for a clock that was set back behind its start: it ends at the latest its whole length from now. */
export function heldTo(wait: Wait, now: number): Wait {
  return { until: Math.min(wait.until, now + wait.ms), ms: wait.ms };
}
