import { backoffMs } from "./backoff.js";
import { type HeaderReader, retryAfterMs, statedWaitMs } from "./retry-after.js";

/** How an attempt ended: with an answer, or without one. */
export type Outcome = { status: number; headers: HeaderReader } | { error: "network" | "timeout" | "aborted" };

/**
 * Why another attempt makes no sense: `aborted` by the caller; `rejected`, the same request would be answered the same;
 * `unsafe`, it may have taken effect and a repeat would do it again.
 */
export type GiveUp = "aborted" | "rejected" | "unsafe";

export type Decision =
  | { action: "done" }
  | { action: "retry"; afterMs: number }
  | { action: "split" }
  | { action: "refresh-auth" }
  | { action: "give-up"; reason: GiveUp };

/** What is known after an attempt. */
export interface Attempted {
  outcome: Outcome;
  /** Number of the attempt; the first is 1. */
  attempt: number;
  /** Milliseconds since the epoch. */
  now: number;
  /** From 0 to below 1. */
  random: () => number;
  /** Whether a repeat is safe when it is not known what became of this attempt. */
  idempotent: boolean;
}

/** Answers of servers and proxies that can be another one later. Of 5xx only those that say "never" are left out. */
const passing = (status: number) => status === 408 || status === 425 || (status >= 500 && status !== 501 && status !== 505);

/**
 * The one place that decides what comes after an attempt. Pure: same inputs, same answer. It knows no number of attempts and no deadline:
 * these are the caller's, who may stop where this says `retry`.
 */
export function decide({ outcome, attempt, now, random, idempotent }: Attempted): Decision {
  if ("error" in outcome) {
    if (outcome.error === "aborted") return { action: "give-up", reason: "aborted" };
    return idempotent ? { action: "retry", afterMs: backoffMs(attempt, random) } : { action: "give-up", reason: "unsafe" };
  }
  const { status, headers } = outcome;
  if (status >= 200 && status < 300) return { action: "done" };
  if (status === 401) return { action: "refresh-auth" };
  if (status === 413) return { action: "split" };
  // A refused request took no effect, so that a repeat is always safe.
  if (status === 429) return retry(retryAfterMs(headers, now));
  if (!passing(status)) return { action: "give-up", reason: "rejected" };
  return idempotent ? retry(statedWaitMs(headers, now)) : { action: "give-up", reason: "unsafe" };

  function retry(stated: number | undefined): Decision {
    // Never before the time that was stated; a little after it, or all clients of a user would return in the same instant.
    const afterMs = stated === undefined ? backoffMs(attempt, random) : stated + random() * Math.min(stated, 250);
    return { action: "retry", afterMs };
  }
}
