import { limits } from "@periscope/schemas";
import type { Deps } from "../deps.js";
import { DomainError } from "../domain-error.js";
import { dayMs } from "../formats.js";
import { describeFailure } from "../logger.js";
import { applyRetention } from "./retention.service.js";

const everyMs = 3_600_000;

type UpkeepDeps = Parameters<typeof applyRetention>[0] & Pick<Deps, "stores" | "clock" | "logger" | "metrics" | "usage">;

/**
 * Deletes expired data now and every hour: contexts by the rules of retention, replay records, sessions and tokens, counts of use, and what
 * deleted text has left in the files of the database. Returns a function that stops it.
 */
export function startUpkeep(deps: UpkeepDeps): () => void {
  const { stores, clock, logger, metrics, usage } = deps;
  let isStopped = false;
  const onDeleted = (contexts: number) => metrics.data.expired(contexts);
  const onFailure = (userId: string, error: unknown) =>
    logger.error(
      { userId, failure: describeFailure(error) },
      "what is past its retention could not be deleted for this user; it is tried again in an hour",
    );

  async function deleteExpired(): Promise<void> {
    // Records are kept for an hour longer than the contract says: the clock may have been set ahead for a while, and is right again.
    const before = clock() - limits.replayDays * dayMs - everyMs;
    const steps: Array<() => Promise<unknown>> = [
      () => applyRetention(deps, { isStopped: () => isStopped, onDeleted, onFailure }),
      () => stores.prune(before),
      () => usage.prune(),
      () => stores.scrub(),
    ];
    for (const step of steps) {
      if (isStopped) return;
      try {
        await step();
      } catch (error) {
        // The next start does what a stop has cut short.
        if (isStopped && error instanceof DomainError && error.code === "unavailable") return;
        logger.error({ failure: describeFailure(error) }, "expired data could not be deleted; it is tried again in an hour");
      }
    }
  }

  const timer = setInterval(() => void deleteExpired(), everyMs);
  timer.unref();
  void deleteExpired();
  return () => {
    isStopped = true;
    clearInterval(timer);
  };
}
