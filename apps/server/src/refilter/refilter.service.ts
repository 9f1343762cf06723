import type { AccessStore } from "../access/access.store.js";
import type { Clock } from "../deps.js";
import { notFound } from "../domain-error.js";
import { noCounts, type RefilterCounts, sumCounts } from "./refilter-context.js";
import { RefilterRun, type RunEnd } from "./refilter-run.js";
import type { RefilterStore } from "./refilter.store.js";
import type { UserFilters } from "../privacy/user-filters.js";

export interface RefilterOptions {
  store: RefilterStore;
  access: Pick<AccessStore, "listUsers">;
  filters: UserFilters;
  clock: Clock;
  /** Clears what was removed out of the files of the database. */
  scrub: () => Promise<void>;
  /** Only this user; all users without it. */
  userId?: string | undefined;
  /** Counts what would change and writes nothing. */
  isDryRun: boolean;
  /** Checks also what an earlier run under the same policy has checked. */
  startOver: boolean;
  /** After each page: how many contexts are done, of how many. */
  onProgress: (done: number, total: number) => void;
  /** True ends the run after the page that is under way. */
  isStopped: () => boolean;
}

export interface RefilterReport {
  users: number;
  /** Users of whom an earlier run under the same policy has checked everything. */
  upToDate: number;
  /** Users of whom something was stored under another policy during the run: it has to be run again. */
  disturbed: number;
  isDryRun: boolean;
  /** The run was stopped before its end; another one goes on there. */
  isStopped: boolean;
  /** Of all other users, with what a run that was stopped before has done. */
  counts: RefilterCounts;
}

/**
 * Filters what is stored again, under today's policy. No level falls, and what was removed stays removed.
 * Throws `not_found` for an unknown user, `unavailable` when another program keeps the database in use.
 */
export async function refilter(options: RefilterOptions): Promise<RefilterReport> {
  const { store, access, scrub, isDryRun, onProgress } = options;
  const users = await chosenUsers(access, options.userId);
  const sizes: number[] = [];
  for (const userId of users) sizes.push(await store.countContexts(userId, ""));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  let left = total;
  const report: RefilterReport = { users: users.length, upToDate: 0, disturbed: 0, isDryRun, isStopped: false, counts: noCounts() };
  const finished: RefilterRun[] = [];
  for (const [index, userId] of users.entries()) {
    left -= sizes[index] ?? 0;
    const { run, end } = await refilterUser(userId, options, (ofUser) => onProgress(Math.max(0, total - left - ofUser), total));
    if (end === "upToDate") {
      report.upToDate++;
      continue;
    }
    report.counts = sumCounts(report.counts, run.counts);
    if (end === "stopped") return { ...report, isStopped: true };
    finished.push(run);
  }
  // A run is done only when what it removed is gone from the files, too.
  if (!isDryRun && finished.length > 0) {
    await scrub();
    const areKept = await Promise.all(finished.map((run) => run.finish()));
    report.disturbed = areKept.filter((isKept) => !isKept).length;
  }
  return report;
}

/** Runs until the end or a stop, and again when the user's rules change meanwhile. */
async function refilterUser(userId: string, options: RefilterOptions, onLeft: (contexts: number) => void) {
  for (let { startOver } = options; ; startOver = false) {
    const userFilter = await options.filters.of(userId);
    const run = new RefilterRun({ ...options, userId, userFilter, startOver, onLeft });
    const end: RunEnd = await run.run();
    if (end !== "changedRules") return { run, end };
  }
}

async function chosenUsers(access: Pick<AccessStore, "listUsers">, userId: string | undefined): Promise<string[]> {
  const users = (await access.listUsers()).map((user) => user.userId);
  if (userId === undefined) return users;
  if (!users.includes(userId)) throw notFound(`There is no user ${userId}.`);
  return [userId];
}
