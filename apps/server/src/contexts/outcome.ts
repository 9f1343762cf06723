import {
  type ErrorCode,
  type ItemErrorCode,
  type ItemResult,
  isRetryableItemError,
  MessageType,
  type SyncResult,
} from "@periscope/schemas";
import { DomainError } from "../domain-error.js";
import type { Metrics } from "../metrics/metrics.js";

/** What became of one message, before it is put as an answer. */
export type Outcome = Success | Failure;

export interface Success {
  ok: true;
  /** As it is answered, and kept for replays. */
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

/** The failure of a page that is never stored: a private window, a browser page, a blocked site. */
export function notCaptured(messageId: string, reasons: readonly string[]): Failure {
  return { ...failure(messageId, "privacy_rejected", `This page is not captured (${reasons.join(", ")}); nothing was stored.`), reasons };
}

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
export function toRequestError({ code, message, details }: Failure): DomainError {
  return new DomainError(code === "validation_error" ? "bad_request" : code, message, { details });
}

type SyncCounters = Pick<Metrics, "sync" | "privacy">;

/** Counts the outcomes of one request's messages; `outcomes[i]` is that of `raws[i]`. */
export function countOutcomes(raws: readonly unknown[], outcomes: readonly Outcome[], { sync, privacy }: SyncCounters): void {
  for (const [index, outcome] of outcomes.entries()) {
    const type = typeOf(raws[index]);
    if (!outcome.ok) {
      sync.message(type, outcome.code);
      if (outcome.reasons) privacy.notCaptured(outcome.reasons);
      continue;
    }
    const { duplicate, privacyLevel, redactions } = outcome.result;
    sync.message(type, duplicate === true ? "duplicate" : "stored");
    // Without redactions nothing was written: the answer tells the level of a newer context that stood already.
    if (duplicate !== true && privacyLevel !== undefined && redactions !== undefined) privacy.context(privacyLevel, redactions);
  }
}

/** Counts the messages of a request that failed as a whole. */
export function countFailed(raws: readonly unknown[], code: ErrorCode, { sync }: SyncCounters): void {
  for (const raw of raws) sync.message(typeOf(raw), code);
}

function typeOf(raw: unknown): MessageType | undefined {
  return typeof raw === "object" && raw !== null && "type" in raw ? MessageType.safeParse(raw.type).data : undefined;
}
