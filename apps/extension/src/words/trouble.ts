import type { QueueStatus } from "@periscope/sync/core";
import { timeWords, type Words } from "./words.js";

/** What is wrong with the way to the server; `weight` says how much it matters to the person. */
export interface Trouble {
  weight: "auth" | "error" | "wait";
  /** What is wrong and what to do, in plain words. */
  text: string;
}

/** What of a queue's status is trouble; undefined when nothing is. */
export type TroubleStatus = Pick<QueueStatus, "waiting" | "deadLetters" | "blockedUntil" | "reason" | "lastError" | "dropped">;

/** What is wrong and what to do about it, the worst first; undefined when nothing is. */
export function troubleOf(words: Words, status: TroubleStatus, { hasKey, now }: { hasKey: boolean; now: number }): Trouble | undefined {
  const until = timeWords(status.blockedUntil ?? now, now);
  if (!hasKey && (status.waiting > 0 || status.reason === "auth")) return { weight: "auth", text: words("troubleNoKey") };
  if (status.reason === "auth") return { weight: "auth", text: words("troubleAuth") };
  if (status.reason === "backing-off") return { weight: "error", text: failureWords(words, status.lastError ?? "", until) };
  if (status.deadLetters > 0) return { weight: "error", text: words("troubleRefused", status.deadLetters) };
  if (status.reason === "rate-limited") return { weight: "wait", text: words("troubleRateLimited", until) };
  if ((status.dropped["storage-failed"] ?? 0) > 0) return { weight: "error", text: words("troubleDisk") };
  return undefined;
}

/** By what the queue says of its last request. */
function failureWords(words: Words, error: string, until: string): string {
  const [, status = ""] = /answered (\d{3})/.exec(error) ?? [];
  if (error.startsWith("Something other") || status.startsWith("4")) return words("troubleWrongServer");
  if (status.startsWith("5")) return words("troubleServer", until);
  if (error.startsWith("No whole answer")) return words("troubleSlow", until);
  return words("troubleUnreachable", until);
}
