import type { ErrorCode, QueueStatus } from "@periscope/sync/core";
import { timeWords, type Words, type WordsName } from "./words.js";

/** What is wrong with the way to the server. */
export interface Trouble {
  /** How much it matters to the person. */
  weight: "auth" | "error" | "wait";
  /** What is wrong and what to do, in plain words. */
  text: string;
  /** What the person can press: give access to the server, or open the options. */
  remedy?: "allow" | "options";
}

/** What of a queue's status is looked at. */
export type TroubleStatus = Pick<QueueStatus, "waiting" | "deadLetters" | "blockedUntil" | "reason" | "lastErrorCode" | "dropped">;

/** What else counts. */
export interface TroubleFacts {
  hasKey: boolean;
  /** Whether the browser lets the extension ask the server. */
  hasAccess: boolean;
  now: number;
}

/** What is wrong, the worst first; undefined when nothing is. */
export function troubleOf(words: Words, status: TroubleStatus, { hasKey, hasAccess, now }: TroubleFacts): Trouble | undefined {
  const until = timeWords(status.blockedUntil ?? now, now);
  // The queue only sees that no answer comes.
  if (!hasAccess) return { weight: "error", text: words("troubleNoAccess"), remedy: "allow" };
  if (!hasKey && (status.waiting > 0 || status.reason === "auth"))
    return { weight: "auth", text: words("troubleNoKey"), remedy: "options" };
  if (status.reason === "auth") return { weight: "auth", text: words("troubleAuth"), remedy: "options" };
  if (status.reason === "backing-off")
    return { weight: "error", text: words(failures[status.lastErrorCode ?? "internal"] ?? "troubleSending", until) };
  if (status.deadLetters > 0) return { weight: "error", text: words("troubleRefused", status.deadLetters) };
  if (status.reason === "rate-limited") return { weight: "wait", text: words("troubleRateLimited", until) };
  if ((status.dropped["storage-failed"] ?? 0) > 0) return { weight: "error", text: words("troubleDisk") };
  return undefined;
}

/** Every other cause has a reason of its own, or nothing that a person could do. */
const failures: Partial<Record<ErrorCode, WordsName>> = {
  network: "troubleUnreachable",
  timeout: "troubleSlow",
  "wrong-server": "troubleWrongServer",
  service: "troubleServer",
  items: "troubleItems",
  storage: "troubleDiskFails",
};
