import type { Kind } from "./message.js";
import type { BlockCause, DropReason, Tallies } from "./partition-state.js";

/**
 * What became of a message that was handed in. `queued`: it is on disk, and will be sent. `merged`: it took the place of an older one of the
 * same kind that was never sent, under that one's id. `blocked`: a rule of privacy; nothing of it was stored. `dropped`: it is not kept.
 */
export type Enqueued =
  | { status: "queued"; id: string }
  | { status: "merged"; id: string }
  | { status: "blocked"; rule: string }
  | { status: "dropped"; reason: DropReason };

/**
 * Why a flush ended: everything that can be sent is; the service asked to wait, failed or refused the key; time was up; sending is paused;
 * nobody is signed in; the disk failed; or the queue or what it was given did (`failed`).
 */
export type FlushEnd = "empty" | "blocked" | "deadline" | "paused" | "no-account" | "storage-failed" | "failed";

/** What a flush did. */
export interface FlushReport {
  /** Requests that were sent. */
  requests: number;
  synced: number;
  /** Stored already: an answer had been lost. */
  duplicates: number;
  /** Put to the dead letters, or dropped since the service refused them. */
  failed: number;
  endedBy: FlushEnd;
  /** When there is something to do again, in milliseconds since the epoch; null when nothing waits. */
  nextAt: number | null;
}

/**
 * What a queue is doing: `idle` when nothing waits or nothing hinders it, `sending`, or why what waits is not sent. A reason holds until an answer ends
 * it, also when its time is over. What only waits for its site's turn is not hindered. `auth`: there is no key, or it was refused. `backing-off`: the service, the way to it or the disk failed.
 */
export type QueueReason = "idle" | "sending" | "rate-limited" | "backing-off" | "auth" | "paused";

/**
 * What an error is about. `no-key`, `key-refused`: the key. `rate-limit`: the service asks to wait. `network`: no answer came; `no-access`: nor can one,
 * since the extension may not ask this server. `timeout`: no whole answer in time. `wrong-server`: something other answers, or an address that is not the
 * service's. `service`: it failed. `items`: it could not take single messages yet. `batch`: it refused a request, which is halved or given up.
 * `storage`: the disk of the browser failed. `internal`: the queue did.
 */
export type ErrorCode =
  | "no-key"
  | "key-refused"
  | "rate-limit"
  | "network"
  | "no-access"
  | "timeout"
  | "wrong-server"
  | "service"
  | "items"
  | "batch"
  | "storage"
  | "internal";

/** The state of the current account's queue. */
export interface QueueStatus {
  waiting: number;
  bytes: number;
  /** When the oldest waiting message was handed in, in milliseconds since the epoch. */
  oldestAt: number | null;
  deadLetters: number;
  /** Nothing is sent before this time, in milliseconds since the epoch; null when the next flush sends. */
  blockedUntil: number | null;
  reason: QueueReason;
  /** Why the last request failed or none was made, and what to do, in plain words; null after one that did not fail. */
  lastError: string | null;
  /** The cause of `lastError`, for programs that have words of their own; null without one, or with one of an earlier version. */
  lastErrorCode: ErrorCode | null;
  /** Messages that were not delivered, by reason; `blocked` by the privacy filter, `corrupt` damaged on the disk. */
  dropped: Tallies;
}

/** A message that the service refused for good, or that cannot be sent. */
export interface DeadLetter {
  id: string;
  kind: Kind;
  /** The service's code, `payload_too_large`, `bad_request`, or `crashed` for one whose reading ended the process three times. */
  code: string;
  /** The service's words. */
  message: string;
  queuedAt: number;
  diedAt: number;
  attempts: number;
}

/** Something worth knowing. None of them holds content. */
export type SyncEvent =
  | { type: "batch"; sent: number; synced: number; duplicates: number; failed: number; ms: number }
  | { type: "dropped"; reason: DropReason | "corrupt"; count: number; kind?: Kind }
  | { type: "filtered"; rule: string }
  | { type: "dead"; id: string; code: string; message: string }
  | { type: "blocked"; until: number; cause: BlockCause; error: string }
  | { type: "recovered" }
  | { type: "storage"; error: string }
  /** The queue, or what it was given, failed otherwise. */
  | { type: "failed"; error: string };
