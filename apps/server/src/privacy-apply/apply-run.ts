import { randomUUID } from "node:crypto";
import { type ApplyCounts, noCounts, sumCounts } from "./apply-counts.js";
import type { ApplyProgress, ApplyRows, ApplyStore, ApplyTransaction } from "./apply.store.js";
import type { PrivacyFilter } from "../privacy/privacy-filter.js";
import { isSameEdition } from "../privacy/rules.store.js";
import type { UserFilter } from "../privacy/user-filters.js";

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
 *
 * Whoever writes under another policy, a server or a run, removes that row. A run without a row goes on to its end, for what it does
 * is not wrong, but notes nothing any more: the next one begins from the start.
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
    const { userId, wanted, store, clock, isDryRun, startOver } = options;
    const { policy } = wanted.filter;
    const fresh: ApplyProgress = { policy, run: randomUUID(), seq: 0, counts: noCounts(), finishedAt: null };
    const isOurs = (known: ApplyProgress | null) => known?.policy === policy && !startOver;
    const known = await store.rows(userId).progress();
    // What an earlier run has written is not what would be done.
    if (isDryRun) return new ApplyRun(options, { ...(known && isOurs(known) ? known : fresh), counts: noCounts() });
    if (known && isOurs(known)) return new ApplyRun(options, known);
    const progress = await store.transact(userId, async (tx) => {
      const begun = await tx.progress();
      if (begun && isOurs(begun)) return begun;
      await tx.saveProgress(fresh, clock());
      return fresh;
    });
    return new ApplyRun(options, progress);
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
   * Does one step and moves the progress to `seq`, together. False when another run under this policy has moved it meanwhile, or
   * begun anew: then nothing was done, and {@link progress} is the other's. Throws {@link RulesChanged}.
   */
  async step(seq: number, work: StepWork): Promise<boolean> {
    const { userId, wanted, store, clock, isDryRun } = this.options;
    const before = this.#progress;
    if (isDryRun) {
      this.#progress = { ...before, seq, counts: sumCounts(before.counts, await work(this.rows, undefined)) };
      return true;
    }
    const { isDone, progress } = await store.transact(userId, async (tx) => {
      if (!isSameEdition(await tx.rulesEdition(), wanted.edition)) throw new RulesChanged();
      const stored = await tx.progress();
      const shared = stored?.policy === before.policy ? stored : undefined;
      if (shared && (shared.run !== before.run || shared.seq !== before.seq)) return { isDone: false, progress: shared };
      const known = shared ?? before;
      const progress = { ...known, seq, counts: sumCounts(known.counts, await work(tx, tx)) };
      if (shared) await tx.saveProgress(progress, clock());
      else await tx.forgetProgress(before.policy);
      return { isDone: true, progress };
    });
    this.#progress = progress;
    return isDone;
  }

  /** Remembers that nothing is left to do. False when that is not so: something was stored under another policy since the run began. */
  async finish(): Promise<boolean> {
    const { userId, store, clock } = this.options;
    const { policy, run, seq } = this.#progress;
    return await store.transact(userId, async (tx) => {
      const stored = await tx.progress();
      if (stored?.policy !== policy) return false;
      // Otherwise another run has begun anew or has come further, and will say so itself.
      if (stored.run === run && stored.seq === seq) await tx.saveProgress({ ...stored, finishedAt: clock() }, clock());
      return true;
    });
  }
}
