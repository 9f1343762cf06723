import type { ErrorCode, QueueStatus } from "@periscope/sync/core";
import type { PageState } from "../recording/page-state.js";
import { hasAccessTo } from "../sites/sites.js";
import { messageName, timeWords, type Words, type WordsName } from "./words.js";

export function stateWords(words: Words, state: Exclude<PageState, { is: "recorded" }>, now: number): string {
  const given = state.is === "blocked" ? state.site : state.is === "paused" ? timeWords(state.until, now) : "";
  return words(messageName("state", state.is), given);
}

/** The category of a page that raised its level, such as `banking`. */
export function raisedBy(state: Extract<PageState, { is: "recorded" }>): string | undefined {
  const category = state.reasons.find((reason) => reason.startsWith("category:"))?.slice("category:".length);
  const isRaised = state.level === "filtered" || state.level === "restricted";
  return category === undefined || !isRaised ? undefined : kindWords(category);
}

/** The name of a kind or category, such as `us_ssn`, as it is read. */
export const kindWords = (kind: string): string => kind.replaceAll(/[_:-]/g, " ");

/** What is wrong with the way to the server, and what to do. */
export interface Trouble {
  weight: "auth" | "error" | "wait";
  text: string;
  /** What the person can press: give access to the server, or open the options. */
  remedy?: "allow" | "options";
}

export type TroubleStatus = Pick<QueueStatus, "waiting" | "deadLetters" | "blockedUntil" | "reason" | "lastErrorCode" | "unreported">;

/**
 * What is wrong, the worst first, by settings, status and access as they are now; undefined when nothing is, and while no server is set. There is no status when
 * the background does not answer, or cannot read its disk.
 */
export async function readTrouble(
  permissions: Parameters<typeof hasAccessTo>[0],
  words: Words,
  { server, key, status, now }: { server: string; key: string; status: TroubleStatus | undefined; now: number },
): Promise<Trouble | undefined> {
  if (status === undefined) return { weight: "error", text: words("troubleBackground") };
  if (server === "") return undefined;
  const until = timeWords(status.blockedUntil ?? now, now);
  // The queue only sees that no answer comes.
  if (!(await hasAccessTo(permissions, server))) return { weight: "error", text: words("troubleNoAccess"), remedy: "allow" };
  if (key === "" && (status.waiting > 0 || status.reason === "auth"))
    return { weight: "auth", text: words("troubleNoKey"), remedy: "options" };
  if (status.reason === "auth") return { weight: "auth", text: words("troubleAuth"), remedy: "options" };
  if (status.reason === "backing-off")
    return { weight: "error", text: words(failures[status.lastErrorCode ?? "internal"] ?? "troubleSending", until) };
  if (status.deadLetters > 0) return { weight: "error", text: words("troubleRefused", status.deadLetters) };
  if (status.reason === "rate-limited") return { weight: "wait", text: words("troubleRateLimited", until) };
  if ((status.unreported["storage-failed"] ?? 0) > 0) return { weight: "error", text: words("troubleDisk") };
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
