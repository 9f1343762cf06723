import { type ItemErrorCode, type ItemResult, isRetryableItemError, type SyncResult } from "@periscope/schemas";
import { DomainError } from "../domain-error.js";

/** What became of one message, before it is put as an answer. */
export type Outcome = Success | Failure;

export interface Success {
  ok: true;
  /** As it is answered and kept for replays. */
  result: SyncResult;
}

export interface Failure {
  ok: false;
  messageId?: string | undefined;
  code: ItemErrorCode;
  message: string;
  details?: ReadonlyArray<{ path: string; message: string }> | undefined;
  /** Why a page was not captured, as the filter names it. */
  reasons?: readonly string[];
}

export function failure(messageId: string | undefined, code: ItemErrorCode, message: string): Failure {
  return { ok: false, messageId, code, message };
}

/** The entry of `results` for an outcome. */
export function toItemResult(outcome: Outcome, timestamp: string): ItemResult {
  if (outcome.ok) return outcome.result;
  const { messageId, code, message } = outcome;
  return {
    ...(messageId !== undefined && { messageId }),
    status: "error",
    timestamp,
    error: { code, message, retryable: isRetryableItemError(code) },
  };
}

/** The error that a single message is answered with when it fails. */
export function toDomainError({ code, message, details }: Failure): DomainError {
  return new DomainError(code === "validation_error" ? "bad_request" : code, message, { details });
}
