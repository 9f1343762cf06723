import type { AccessStore } from "../access/access.store.js";
import { notFound } from "../domain-error.js";
import { type ApplyCounts, noCounts, sumCounts } from "./apply-counts.js";
import { ApplyRun, RulesChanged } from "./apply-run.js";
import type { ApplyStore } from "./apply.store.js";
import { applyToUser } from "./apply-user.js";
import type { UserFilters } from "../privacy/user-filters.js";

export interface ApplyOptions {
  /** Of this user only; without it, of all. */
  userId?: string | undefined;
  /** Counts what would change and writes nothing. */
  isDryRun: boolean;
  /** Checks also what an earlier run under the same policy has checked. */
  startOver: boolean;
  /** After each slice: contexts that are done, of how many. */
  onProgress: (done: number, total: number) => void;
  /** True ends the run after the slice that is under way. */
  isStopped: () => boolean;
}

export interface ApplyReport {
  users: number;
  /** Users with whom an earlier run under the same policy has come to its end: nothing of theirs was looked at. */
  upToDate: number;
  /** Users of whom something was stored under another policy during the run: it has to be run again. */
  disturbed: number;
  isDryRun: boolean;
  /** The run was stopped before its end; another one goes on there. */
  isStopped: boolean;
  /** Of all other users, with what a run that was stopped before had done. */
  counts: ApplyCounts;
}

export interface ApplyService {
  /**
   * Filters again what is stored, under the policy of now. Nothing ever widens: no level falls, and what was removed stays removed.
   * Throws `not_found` for an unknown user, `unavailable` when another program keeps the database.
   */
  apply(options: ApplyOptions): Promise<ApplyReport>;
}

export interface ApplyServiceOptions {
  store: ApplyStore;
  access: Pick<AccessStore, "listUsers">;
  filters: UserFilters;
  clock: () => number;
}

export function createApplyService({ store, access, filters, clock }: ApplyServiceOptions): ApplyService {
  /** The run to its end or to where it was stopped; undefined when there is nothing to do. */
  async function applyTo(userId: string, { isDryRun, ...options }: ApplyOptions & { onLeft: (contexts: number) => void }) {
    for (let { startOver } = options; ; startOver = false) {
      const wanted = await filters.of(userId);
      const run = await ApplyRun.begin({ userId, wanted, store, clock, isDryRun, startOver });
      if (run.progress.finishedAt !== null) return undefined;
      try {
        const isDone = await applyToUser(run, { ...options, clock });
        return { run, isDone };
      } catch (error) {
        if (!(error instanceof RulesChanged)) throw error;
      }
    }
  }

  return {
    async apply(options) {
      const { userId, isDryRun, onProgress } = options;
      const users = await chosenUsers(access, userId);
      const sizes = new Map<string, number>();
      for (const user of users) sizes.set(user, (await store.rows(user).arrivals(0)).length);
      const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
      let left = total;
      const report: ApplyReport = { users: users.length, upToDate: 0, disturbed: 0, isDryRun, isStopped: false, counts: noCounts() };
      const finished: ApplyRun[] = [];
      for (const user of users) {
        left -= sizes.get(user) ?? 0;
        const outcome = await applyTo(user, { ...options, onLeft: (ofUser) => onProgress(Math.max(0, total - left - ofUser), total) });
        if (!outcome) {
          report.upToDate++;
          continue;
        }
        report.counts = sumCounts(report.counts, outcome.run.progress.counts);
        if (!outcome.isDone) return { ...report, isStopped: true };
        finished.push(outcome.run);
      }
      // Last, and only then is it told that nothing is left to do: what was removed is gone from the files too.
      if (!isDryRun && finished.length > 0) {
        await store.scrub();
        const areKept = await Promise.all(finished.map((run) => run.finish()));
        report.disturbed = areKept.filter((isKept) => !isKept).length;
      }
      return report;
    },
  };
}

async function chosenUsers(access: Pick<AccessStore, "listUsers">, userId: string | undefined): Promise<string[]> {
  const users = (await access.listUsers()).map(({ userId }) => userId);
  if (userId === undefined) return users;
  if (!users.includes(userId)) throw notFound(`There is no user ${userId}.`);
  return [userId];
}
