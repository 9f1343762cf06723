import { type ErrorCode, MessageType } from "@periscope/schemas";
import type { Metrics } from "../metrics/metrics.js";
import type { Outcome } from "./sync-outcome.js";

type SyncCounters = Pick<Metrics, "sync" | "privacy">;

/** Counts what became of the messages of one request; `outcomes[i]` is that of `raws[i]`. */
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
    // Where a newer context stood already, the answer tells that one's level, and no redactions: nothing was written.
    if (duplicate !== true && privacyLevel !== undefined && redactions !== undefined) privacy.context(privacyLevel, redactions);
  }
}

/** Counts messages of which nothing is known but that their request failed, and under which code it is answered. */
export function countFailed(raws: readonly unknown[], code: ErrorCode, { sync }: SyncCounters): void {
  for (const raw of raws) sync.message(typeOf(raw), code);
}

function typeOf(raw: unknown): MessageType | undefined {
  return typeof raw === "object" && raw !== null && "type" in raw ? MessageType.safeParse(raw.type).data : undefined;
}
