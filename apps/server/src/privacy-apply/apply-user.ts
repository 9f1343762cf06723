import type { StoredContext } from "../contexts/context.store.js";
import { noCounts, sumCounts } from "./apply-counts.js";
import { applyToConfigs, applyToErrors, applyToReplayRecords } from "./apply-records.js";
import type { ApplyRun } from "./apply-run.js";
import { countOf, filterAgain, isSameText, type Verdict } from "./filter-again.js";

/** How a run is watched and stopped. */
export interface Watch {
  /** Before the first slice and after each: how many contexts are to be looked at yet. */
  onLeft: (contexts: number) => void;
  /** Asked before each slice. */
  isStopped: () => boolean;
  clock: () => number;
}

/** Contexts of one transaction, and how long filtering them may take: what comes first. Others wait no longer than that. */
const sliceMax = 50;
const sliceMs = 250;

/** Filters everything again that is stored of the run's user. False when it was stopped before the end. Throws `RulesChanged`. */
export async function applyToUser(run: ApplyRun, watch: Watch): Promise<boolean> {
  for (;;) {
    if (!(await applyToContexts(run, watch))) return false;
    let isDone = true;
    for (const applyTo of [applyToConfigs, applyToErrors, applyToReplayRecords]) {
      if (watch.isStopped()) return false;
      isDone &&= await applyTo(run);
    }
    // Otherwise another run has begun from the start meanwhile, and this one goes on from where that is.
    if (isDone) return true;
  }
}

interface Looked {
  seq: number;
  /** As it was read for the verdict. */
  stored: StoredContext;
  verdict: Verdict;
}

async function applyToContexts(run: ApplyRun, { onLeft, isStopped, clock }: Watch): Promise<boolean> {
  let left = await run.rows.arrivals(run.progress.seq);
  for (let next = 0; next < left.length;) {
    onLeft(left.length - next);
    if (isStopped()) return false;
    const looked: Looked[] = [];
    let last = next;
    for (const until = performance.now() + sliceMs; last < left.length && last - next < sliceMax && performance.now() < until; last++) {
      const seq = left[last] ?? 0;
      const stored = await run.rows.context(seq);
      if (stored) looked.push({ seq, stored, verdict: filterAgain(stored, run.filter) });
    }
    const isDone = await run.step(left[last - 1] ?? 0, async (rows, writes) => {
      let counts = noCounts();
      for (const { seq, stored, verdict } of looked) {
        const now = writes ? await rows.context(seq) : stored;
        if (!now) continue;
        // Synced once more meanwhile: what counts is what it is now.
        const current = isSameText(now, stored) ? verdict : filterAgain(now, run.filter);
        counts = sumCounts(counts, countOf(now, current));
        if (current.is === "rewritten") await writes?.replaceContext(seq, current.context);
        if (current.is === "removed") await writes?.removeContext(now.contextId, clock());
      }
      return counts;
    });
    if (isDone) next = last;
    else {
      left = await run.rows.arrivals(run.progress.seq);
      next = 0;
    }
  }
  onLeft(0);
  return true;
}
