import type { ErrorCode, QueueStatus } from "@periscope/sync/core";
import { timeWords, type Words, type WordsName } from "./words.js";

/** What is wrong with the way to the server; `weight` says how much it matters to the person. */
export interface Trouble {
  weight: "auth" | "error" | "wait";
  /** What is wrong and what to do, in plain words. */
  text: string;
}

/** What of a queue's status is trouble; undefined when nothing is. */
export type TroubleStatus = Pick<QueueStatus, "waiting" | "deadLetters" | "blockedUntil" | "reason" | "lastErrorCode" | "dropped">;

/** What is wrong and what to do about it, the worst first; undefined when nothing is. */
export function troubleOf(words: Words, status: TroubleStatus, { hasKey, now }: { hasKey: boolean; now: number }): Trouble | undefined {
  const until = timeWords(status.blockedUntil ?? now, now);
  if (!hasKey && (status.waiting > 0 || status.reason === "auth")) return { weight: "auth", text: words("troubleNoKey") };
  if (status.reason === "auth") return { weight: "auth", text: words("troubleAuth") };
  if (status.reason === "backing-off")
    return { weight: "error", text: words(failures[status.lastErrorCode ?? "internal"] ?? "troubleSending", until) };
  if (status.deadLetters > 0) return { weight: "error", text: words("troubleRefused", status.deadLetters) };
  if (status.reason === "rate-limited") return { weight: "wait", text: words("troubleRateLimited", until) };
  if ((status.dropped["storage-failed"] ?? 0) > 0) return { weight: "error", text: words("troubleDisk") };
  return undefined;
}

/** Whatever else is the cause has a reason of its own, or nothing that a person could do. */
const failures: Partial<Record<ErrorCode, WordsName>> = {
  network: "troubleUnreachable",
  "no-access": "troubleNoAccess",
  timeout: "troubleSlow",
  "wrong-server": "troubleWrongServer",
  service: "troubleServer",
  items: "troubleItems",
  storage: "troubleDiskFails",
};
