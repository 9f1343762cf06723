import { type ApplyCounts, noCounts, sumCounts } from "./apply-counts.js";
import type { ApplyProgress, ApplyRows, ApplyStore, ApplyTransaction } from "./apply.store.js";
import type { PrivacyFilter } from "./privacy-filter.js";
import type { UserFilter } from "./user-filters.js";

/** What a step finds to do. Without `writes` it only counts. Runs again when it is disturbed. */
export type StepWork = (rows: ApplyRows, writes: ApplyTransaction | undefined) => Promise<ApplyCounts>;

/** Rules of the user were changed since the run began: it has to begin again under these. */
export class RulesChanged extends Error {
  override readonly name = "RulesChanged";
}

export interface RunOptions {
  userId: string;
  wanted: UserFilter;
  store: ApplyStore;
  clock: () => number;
  isDryRun: boolean;
  /** Forgets how far an earlier run has come. */
  startOver: boolean;
}

/**
 * The way through what is stored of one user, under one policy. How far it has come is written in the transaction of each step, so
 * that a run that was stopped goes on there, and runs at once share the work: the row of the progress says where all of them are.
 */
export class ApplyRun {
  #progress: ApplyProgress;

  private constructor(
    private readonly options: RunOptions,
    progress: ApplyProgress,
  ) {
    this.#progress = progress;
  }

  static async begin(options: RunOptions): Promise<ApplyRun> {
    const { userId, wanted, store, isDryRun, startOver } = options;
    const { policy } = wanted.filter;
    const fresh: ApplyProgress = { policy, seq: 0, counts: noCounts(), finishedAt: null };
    const known = await store.rows(userId).progress();
    if (known?.policy === policy && !startOver) return new ApplyRun(options, known);
    const run = new ApplyRun(options, fresh);
    if (!isDryRun) await store.transact(userId, (tx) => tx.saveProgress(fresh, options.clock()));
    return run;
  }

  get filter(): PrivacyFilter {
    return this.options.wanted.filter;
  }

  /** As of the last step. */
  get progress(): Readonly<ApplyProgress> {
    return this.#progress;
  }

  /** Reads outside of any transaction. */
  get rows(): ApplyRows {
    return this.options.store.rows(this.options.userId);
  }

  /**
   * Does one step and moves the progress to `seq`, together. False when another run has moved it meanwhile: then nothing was done,
   * and {@link progress} is the other's. Throws {@link RulesChanged}.
   */
  async step(seq: number, work: StepWork): Promise<boolean> {
    const { userId, wanted, store, clock, isDryRun } = this.options;
    const before = this.#progress;
    if (isDryRun) {
      this.#progress = { ...before, seq, counts: sumCounts(before.counts, await work(this.rows, undefined)) };
      return true;
    }
    const { isDone, progress } = await store.transact(userId, async (tx) => {
      if ((await tx.rulesVersion()) !== wanted.rulesVersion) throw new RulesChanged();
      const stored = await tx.progress();
      // A run under another policy has its own way; both get to their end.
      const known = stored?.policy === before.policy ? stored : before;
      if (known.seq !== before.seq) return { isDone: false, progress: known };
      const progress = { ...known, seq, counts: sumCounts(known.counts, await work(tx, tx)) };
      await tx.saveProgress(progress, clock());
      return { isDone: true, progress };
    });
    this.#progress = progress;
    return isDone;
  }

  /** Remembers that nothing is left to do, unless another run has begun anew. */
  async finish(): Promise<void> {
    const { userId, store, clock } = this.options;
    const { policy, seq } = this.#progress;
    await store.transact(userId, async (tx) => {
      const stored = await tx.progress();
      if (stored?.policy === policy && stored.seq === seq) await tx.saveProgress({ ...stored, finishedAt: clock() }, clock());
    });
  }
}
