import type { PrivacyLevel } from "@periscope/schemas";
import type { MessageKind } from "./message.js";

/**
 * Why a message will not reach the service. `full`: it had to make room, also for a newer context of its tab while its site waits for a turn.
 * `rejected-by-server`: a refusal that is not kept as a dead letter. `removed`: by `remove`. `corrupt`: damaged on the disk.
 */
export type DropReason = "full" | "too-large" | "expired" | "storage-failed" | "rejected-by-server" | "no-account" | "removed" | "corrupt";

/** What was not delivered, counted. `blocked`: what the filter did not let through. */
export type DropCounts = Partial<Record<DropReason | "blocked", number>>;

/**
 * What became of a message that was handed in. `queued`: it is on disk, and will be sent. `merged`: the same, and it took the place of an older
 * one of its kind that was never sent; nothing more is told of that one. `blocked`: a rule of privacy; nothing of it was stored. `dropped`: it is
 * not kept.
 */
export type Enqueued =
  | { status: "queued" | "merged"; id: string }
  | { status: "blocked"; rule: string }
  | { status: "dropped"; reason: DropReason };

/**
 * What became of a message that the filter did not block and no newer one replaced. `stored`: the service has it, with the level that it gave
 * the context. `deleted`: the service has deleted the context. `refused`: the service does not take it, and says why; it is among the dead letters,
 * unless the code is `privacy_rejected`. `dropped`: it left the queue unsent, or was not taken. `contextId` is absent for heartbeats, for the times
 * and titles that `record` adds, and for deletions that did not arrive: what becomes of them says nothing of their context.
 */
export type Settled = { id: string; contextId?: string } & (
  | { status: "stored"; privacyLevel?: PrivacyLevel }
  | { status: "deleted" }
  | { status: "refused"; code: string; message: string }
  | { status: "dropped"; reason: DropReason }
);

/**
 * Why a flush ended: everything that can be sent is; the service asked to wait, failed or refused the key; time was up; sending is paused;
 * nobody is signed in; the disk failed; or the queue or what it was given did (`failed`).
 */
export type FlushEnd = "empty" | "blocked" | "deadline" | "paused" | "no-account" | "storage-failed" | "failed";

/** What a flush did. */
export interface FlushReport {
  requests: number;
  synced: number;
  /** Stored already: an answer had been lost. */
  duplicates: number;
  /** Put to the dead letters, or dropped since the service refused them. */
  failed: number;
  endedBy: FlushEnd;
  /** When there is something to do again, in milliseconds since the epoch; null when nothing waits, or in a pause without an end. */
  nextAt: number | null;
}

/**
 * What a queue is doing: `idle` when nothing waits or nothing hinders it, `sending`, or why what waits is not sent. A reason holds until an answer
 * ends it. `auth`: address or key are missing, or the key was refused. `backing-off`: the service, the way to it or the disk failed.
 */
export type QueueReason = "idle" | "sending" | "paused" | BlockReason;

export type BlockReason = "rate-limited" | "backing-off" | "auth";

/**
 * What an error is about. `no-server`, `no-key`: not set up yet. `key-refused`: the key. `rate-limit`: the service asks to wait. `network`: no
 * answer came; `no-access`: nor can one, since the extension may not ask this server. `timeout`: no whole answer in time. `wrong-server`: something
 * other answers, or `baseUrl` is not the service's. `service`: it failed. `items`: it could not take single messages yet. `batch`: it refused a
 * request, which is halved or given up. `storage`: the disk of the browser failed. `internal`: the queue did.
 */
export type ErrorCode =
  | "no-server"
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

/** What is wrong on the way to the service, and what to do, in plain words. */
export interface Trouble {
  code: ErrorCode;
  error: string;
}

/** The state of the current account's queue. */
export interface QueueStatus {
  waiting: number;
  bytes: number;
  deadLetters: number;
  /** Nothing is sent before this time, in milliseconds since the epoch; null when the next flush sends, or in a pause without an end. */
  blockedUntil: number | null;
  reason: QueueReason;
  /** Why the last request failed or none was made, and what to do, in plain words; null after one that did not fail. */
  lastError: string | null;
  /** The cause of `lastError`, for programs that have words of their own. */
  lastErrorCode: ErrorCode | null;
  /** Messages that were not delivered, by reason. */
  dropped: DropCounts;
  /** Those of them that the service was not told of yet; it is told once an hour. */
  unreported: DropCounts;
}

/** Something worth knowing. None of them holds content. */
export type SyncEvent =
  | { type: "batch"; sent: number; synced: number; duplicates: number; failed: number; ms: number }
  /** A message that will not be delivered. One that was damaged on the disk may have no kind. */
  | { type: "dropped"; reason: DropReason; kind?: MessageKind }
  | { type: "filtered"; rule: string }
  | ({ type: "blocked"; until: number; reason: BlockReason } & Trouble)
  | { type: "storage"; error: string }
  /** The queue, or what it was given, failed otherwise. */
  | { type: "failed"; error: string };
