import type { Audit } from "../harness/ledger.ts";
import type { ClientOptions, QueueClient } from "../harness/queue-client.ts";
import type { Stage } from "../harness/stage.ts";

/** A row of the fault matrix. */
export interface Row {
  /** Its number in the matrix, `F1` to `F29`. */
  fault: string;
  /** What is done to the queue. */
  injected: string;
  /** A mistake in the queue that this row finds. */
  mutation?: string;
  /** Does it, and checks what must hold; resolves to what was counted. */
  run(play: Play): Promise<Audit>;
}

/** Where a row plays. */
export interface Play {
  stage: Stage;
  /** A queue of its own. */
  client(options?: Partial<ClientOptions>): QueueClient;
}

/** What a row came to, as the closing table has it. */
export interface RowResult extends Audit {
  fault: string;
  injected: string;
  kills: number;
  ms: number;
}
