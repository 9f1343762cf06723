import type { ItemErrorCode } from "@periscope/schemas";
import { PeriscopeError } from "../errors/periscope-error.js";

/**
 * Why a message of `syncAll` is not stored: a code of the service for the message; that of the answer, such as `rate_limited`, or of the
 * client's error, such as `connection_error`, for the request that held it; `no_result` when the answer said nothing of it.
 */
export type FailureCode = ItemErrorCode | "payload_too_large" | "no_result" | (string & {});

/** What became of a message. */
export type BatchItemStatus =
  | {
      /** `duplicate`: it had been processed before, and nothing changed. */
      status: "synced" | "duplicate";
      /** The context that it was about, where there is one. */
      contextId?: string;
    }
  | {
      status: "failed";
      code: FailureCode;
      message: string;
      /** Whether the same message, sent again under its id, can succeed. */
      retryable: boolean;
    };

/** What became of one message of many. */
export type BatchItem = {
  /** Place of the message in what was given. */
  index: number;
  /** Id of the message, given or made. */
  id: string;
} & BatchItemStatus;

/** What became of all messages of `syncAll`. */
export interface BatchOutcome {
  /** Messages that the service took now. */
  synced: number;
  /** Messages that it had taken before; they changed nothing. */
  duplicates: number;
  /** Messages that are not stored; their items say why. */
  failed: number;
  /** One for each message that was read, in order; the three counts add up to their number. */
  items: readonly BatchItem[];
  /**
   * Why sending ended early; null when every message was sent. Messages that had been read are `failed` then, those that had not been
   * have no item.
   */
  stoppedBy: PeriscopeError | null;
  /**
   * Returns itself when every message is stored.
   * @throws BatchError when one failed, or sending ended early
   */
  throwIfFailed(): BatchOutcome;
}

/**
 * Messages of `syncAll` failed, and the caller asked for an error.
 *
 * @example
 * if (BatchError.is(error)) console.log(error.outcome.failed, error.outcome.stoppedBy);
 */
export class BatchError extends PeriscopeError {
  static override readonly kind: string = "BatchError";
  declare readonly name: "BatchError";

  /** What became of all messages. */
  readonly outcome: BatchOutcome;

  constructor(message: string, outcome: BatchOutcome) {
    super(message, { cause: outcome.stoppedBy ?? undefined, requestId: outcome.stoppedBy?.requestId ?? null });
    this.outcome = outcome;
  }
}

/** The outcome that items add up to. */
export function outcomeOf(items: readonly BatchItem[], stoppedBy: PeriscopeError | null): BatchOutcome {
  const count = (status: BatchItem["status"]) => items.filter((item) => item.status === status).length;
  const failed = count("failed");
  return {
    synced: count("synced"),
    duplicates: count("duplicate"),
    failed,
    items,
    stoppedBy,
    throwIfFailed() {
      if (failed === 0 && stoppedBy === null) return this;
      const first = items.find((item) => item.status === "failed");
      throw new BatchError(`${failed} of ${items.length} messages failed: ${stoppedBy?.message ?? first?.message}`, this);
    },
  };
}
