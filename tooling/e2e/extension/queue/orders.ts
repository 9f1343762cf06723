import type { DeadLetter, Enqueued, FlushReport, Limits, NewMessage, QueueStatus, QueueStep } from "@periscope/sync/core";

/** What a queue of a test is made with. Queues of different scopes have nothing in common. */
export interface Scope {
  database: string;
  baseUrl: string;
  apiKey: string;
  batchItems?: number;
  timeoutMs?: number;
  limits?: Partial<Limits>;
  /** Whether messages pass the filter of `@periscope/privacy`; without it, all are kept as they are. */
  privacy?: { blockedSites: string[] };
  openMs?: number;
  /** Version of the database; 2 is one that a later version of the extension might have. */
  schema?: 1 | 2;
  /** Name of a mistake that is put into the queue. */
  mutation?: string;
}

/** What is asked of a queue. */
export type Call =
  | { do: "enqueue"; messages: NewMessage[]; mergeKey?: string }
  | { do: "flush"; deadlineMs?: number }
  | { do: "status" | "dead" | "retry" | "life" };

/** An order to a worker, or to a page that runs a queue of its own. */
export interface Order {
  scope: Scope;
  call: Call;
  /** Milliseconds by which the queue's clock is ahead of the system's. */
  clockOffset: number;
  /** Where the queue stands still, and says so. */
  parkAt?: QueueStep;
}

/** What an order comes to, by what was asked. */
export interface Outcomes {
  enqueue: Enqueued[];
  flush: FlushReport;
  status: QueueStatus;
  dead: DeadLetter[];
  /** How many dead letters were put back. */
  retry: number;
  /** Another one for each life of a worker. */
  life: string;
}
