import { randomUUID } from "node:crypto";
import type { AccessStore } from "../access/access.store.js";
import { noChanges } from "../contexts/change-user-data.js";
import type { StoredContext, UserChanges, UserDataStore } from "../contexts/context.store.js";
import { filterReport } from "../contexts/filter-task.js";
import { keptFingerprint } from "../contexts/fingerprint.js";
import type { Clock } from "../deps.js";
import { canonicalJson } from "../formats.js";
import { derived } from "../privacy/privacy-filter.js";
import { isSameRules } from "../privacy/rules.store.js";
import type { UserFilter, UserFilters } from "../privacy/user-filters.js";
import type { RefilterCounts, Refiltered, RefilterProgress, StoredConfig, StoredError, StoredFingerprint } from "../contexts/refiltered.js";
import { countContext, isSameText, noCounts, refilterContext, sumCounts, type Verdict, withTimesOf } from "./refilter-context.js";
import type { PageQuery, RefilterPage, RefilterStore, StoredParts } from "./refilter.store.js";

export interface RefilterOptions {
  store: RefilterStore;
  userData: Pick<UserDataStore, "commit">;
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
 * Throws `unavailable` when another program keeps the database in use.
 */
export async function refilter(options: RefilterOptions): Promise<RefilterReport> {
  const { store, access, userId: only, scrub, isDryRun, onProgress } = options;
  const users = only === undefined ? (await access.listUsers()).map(({ userId }) => userId) : [only];
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

type RefilterRunOptions = Pick<RefilterOptions, "store" | "userData" | "clock" | "isDryRun" | "startOver" | "isStopped"> & {
  userId: string;
  userFilter: UserFilter;
  /** Called before the first page of contexts and after each: about how many are left to check. */
  onLeft: (contexts: number) => void;
};

/**
 * How a run ended. `changedRules`: the user has other rules by now, so it has to begin again under these. `upToDate`: an earlier run
 * has checked everything.
 */
type RunEnd = "done" | "stopped" | "changedRules" | "upToDate";

/** What filtering the first `checked` rows of a page again changes. */
interface Step {
  changes: Partial<Pick<UserChanges, "replaced" | "removed"> & Omit<Refiltered, "progress">>;
  counts: RefilterCounts;
  checked: number;
}

type End = RunEnd | "moved";

/** Contexts of one transaction, and how long filtering them may take, whichever comes first. */
const contextsMax = 50;
const contextsMs = 250;
/** Settings and errors are up to 16 KiB each. */
const recordsMax = 20;
const fingerprintsMax = 500;

/**
 * Filters everything that is stored of one user again, page by page. Each page commits its changes together with the progress, so a
 * run that was stopped goes on there, and runs at the same time share the work.
 *
 * A write under another policy, by a server or another run, drops the progress. A run without progress still goes on to its end, but
 * records nothing: the next run starts from the beginning.
 */
class RefilterRun {
  #progress: RefilterProgress;
  /** Contexts that are left to check, as counted when the run began. */
  #left = 0;
  /** Verdicts on the page that is being committed, by id: what did not change meanwhile is not filtered again. */
  #verdicts = new Map<string, { stored: StoredContext; verdict: Verdict }>();

  constructor(private readonly options: RefilterRunOptions) {
    this.#progress = { policy: options.userFilter.filter.policyId, run: randomUUID(), checkedTo: "", counts: noCounts(), finishedAt: null };
  }

  /** What was changed so far, with what an earlier run under the same policy did before it was stopped. */
  get counts(): RefilterCounts {
    return this.#progress.counts;
  }

  async run(): Promise<RunEnd> {
    await this.#begin();
    if (this.#progress.finishedAt !== null) return "upToDate";
    for (;;) {
      const end = await this.#runParts();
      // Otherwise another run has come further, and this one goes on from there.
      if (end !== "moved") return end;
    }
  }

  /** Records that nothing is left to do. False when something was stored under another policy since the run began. */
  async finish(): Promise<boolean> {
    const { policy, run, checkedTo } = this.#progress;
    for (;;) {
      const page = await this.#read();
      if (!page) return true;
      const stored = page.progress;
      if (stored?.policy !== policy) return false;
      // Otherwise another run has begun anew or come further, and will record it.
      if (stored.run !== run || stored.checkedTo !== checkedTo) return true;
      if (await this.#commit(page, {}, { ...stored, finishedAt: this.options.clock() })) return true;
    }
  }

  /** Takes over the stored progress of this policy, or stores a fresh one. */
  async #begin(): Promise<void> {
    const { isDryRun, startOver } = this.options;
    for (;;) {
      const page = await this.#read();
      const stored = page?.progress;
      if (stored && stored.policy === this.#progress.policy && !startOver) {
        // What an earlier run has changed is not what would be changed now.
        this.#progress = isDryRun ? { ...stored, counts: noCounts() } : stored;
        return;
      }
      if (!page || isDryRun || (await this.#commit(page, {}, this.#progress))) return;
    }
  }

  async #runParts(): Promise<End> {
    const { store, userId, onLeft } = this.options;
    const { checkedTo } = this.#progress;
    this.#left = await store.countContexts(userId, checkedTo);
    onLeft(this.#left);
    const end =
      (await this.#runPart({ part: "contexts", after: { contextId: checkedTo }, limit: contextsMax }, (rows) => this.#contexts(rows))) ??
      (await this.#runPart({ part: "configs", after: { extensionId: "" }, limit: recordsMax }, (rows) => this.#configs(rows))) ??
      (await this.#runPart({ part: "errors", after: { seq: 0 }, limit: recordsMax }, (rows) => this.#errors(rows))) ??
      (await this.#runPart({ part: "fingerprints", after: { extensionId: "", messageId: "" }, limit: fingerprintsMax }, (rows) =>
        this.#fingerprints(rows),
      ));
    return end ?? "done";
  }

  /** Filters a part again, page by page. Undefined at its end. */
  async #runPart<Part extends keyof StoredParts>(
    query: PageQuery<Part>,
    filter: (rows: ReadonlyArray<StoredParts[Part]>) => Step,
  ): Promise<End | undefined> {
    for (let { after } = query; ;) {
      const page = await this.#read({ ...query, after });
      if (!page) return "done";
      if (this.options.isStopped()) return "stopped";
      if (!isSameRules(page.rulesVersion, this.options.userFilter.rulesVersion)) return "changedRules";
      if (this.#adopt(page.progress)) return "moved";
      const step = filter(page.rows);
      const last = page.rows[step.checked - 1];
      if (!(await this.#write(page, step, last))) continue;
      if (!last || (step.checked === page.rows.length && step.checked < query.limit)) return undefined;
      after = last;
    }
  }

  /** Takes over the progress of another run under this policy, if that has moved. */
  #adopt(stored: RefilterProgress | null): boolean {
    const { policy, run, checkedTo } = this.#progress;
    if (this.options.isDryRun || stored?.policy !== policy || (stored.run === run && stored.checkedTo === checkedTo)) return false;
    this.#progress = stored;
    return true;
  }

  async #write(page: RefilterPage, { changes, counts, checked }: Step, last: StoredParts[keyof StoredParts] | undefined): Promise<boolean> {
    const { isDryRun, onLeft } = this.options;
    // Another run at the same place may have counted changes of its own.
    const shared = !isDryRun && page.progress?.policy === this.#progress.policy ? page.progress : null;
    const before = shared ?? this.#progress;
    const isContext = last !== undefined && "contextId" in last;
    const checkedTo = isContext ? last.contextId : before.checkedTo;
    const progress = { ...before, checkedTo, counts: sumCounts(before.counts, counts) };
    if (!isDryRun && !(await this.#commit(page, changes, shared && progress))) return false;
    this.#progress = progress;
    this.#verdicts.clear();
    if (isContext) onLeft((this.#left = Math.max(0, this.#left - checked)));
    return true;
  }

  #read<Part extends keyof StoredParts>(query?: PageQuery<Part>): Promise<RefilterPage<Part> | null> {
    return this.options.store.read(this.options.userId, query);
  }

  #commit({ revision }: RefilterPage, changes: Step["changes"], progress: RefilterProgress | null): Promise<boolean> {
    const { userData, userId, clock } = this.options;
    const { replaced = [], removed = [], configs = [], errors = [], fingerprints = [] } = changes;
    const refiltered = { configs, errors, fingerprints, progress };
    const { policy } = this.#progress;
    return userData.commit(userId, { ...noChanges, replaced, removed, refiltered, revision, now: clock(), policy });
  }

  #contexts(contexts: readonly StoredContext[]): Step {
    const replaced: Array<UserChanges["replaced"][number]> = [];
    const removed: Array<UserChanges["removed"][number]> = [];
    let counts = noCounts();
    let checked = 0;
    const until = performance.now() + contextsMs;
    for (const stored of contexts) {
      if (checked > 0 && performance.now() > until) break;
      checked++;
      const verdict = this.#verdictOn(stored);
      counts = sumCounts(counts, countContext(stored, verdict));
      // Times may have changed since the verdict; the text has not.
      if (verdict.is === "rewritten") replaced.push(withTimesOf(stored, verdict.context));
      // Newer than the message that wrote it, whose clock may be ahead: no replay may bring it back.
      const deletedAt = Math.max(this.options.clock(), stored.writtenAt + 1);
      if (verdict.is === "removed") removed.push({ contextId: stored.contextId, deletedAt });
    }
    return { changes: { replaced, removed }, counts, checked };
  }

  #verdictOn(stored: StoredContext): Verdict {
    const { contextId } = stored;
    const known = this.#verdicts.get(contextId);
    if (known && isSameText(known.stored, stored) && known.stored.capturedAt === stored.capturedAt) return known.verdict;
    const verdict = refilterContext(stored, this.options.userFilter.filter);
    this.#verdicts.set(contextId, { stored, verdict });
    return verdict;
  }

  #configs(stored: readonly StoredConfig[]): Step {
    const configs = stored.map((row) => this.#config(row)).filter((row) => row !== undefined);
    return { changes: { configs }, counts: { ...noCounts(), configs: configs.length }, checked: stored.length };
  }

  #config({ extensionId, config }: StoredConfig): StoredConfig | undefined {
    const before = JSON.parse(config) as Record<string, unknown>;
    const filtered = this.options.userFilter.filter.record(before);
    if (isSame(before, filtered)) return undefined;
    return { extensionId, config: derived(filtered, (settings) => JSON.stringify(settings)) };
  }

  #errors(stored: readonly StoredError[]): Step {
    const errors = stored.map((row) => this.#error(row)).filter((row) => row !== undefined);
    return { changes: { errors }, counts: { ...noCounts(), errors: errors.length }, checked: stored.length };
  }

  #error({ seq, code, message, details }: StoredError): StoredError | undefined {
    const before = { code, message, details: details === null ? undefined : (JSON.parse(details) as unknown) };
    const filtered = filterReport(before, this.options.userFilter.filter);
    const after = { ...filtered, details: filtered.details === null ? undefined : (JSON.parse(filtered.details) as unknown) };
    return isSame(before, after) ? undefined : { seq, ...filtered };
  }

  /** A hash of text that was filtered under another policy may tell what is removed now, so it goes. */
  #fingerprints(stored: readonly StoredFingerprint[]): Step {
    const { policy } = this.#progress;
    const fingerprints = stored
      .map((row): StoredFingerprint => ({ ...row, fingerprint: keptFingerprint(row.fingerprint, policy) }))
      .filter(({ fingerprint }, index) => fingerprint !== stored[index]?.fingerprint);
    return { changes: { fingerprints }, counts: { ...noCounts(), replayRecords: fingerprints.length }, checked: stored.length };
  }
}

const isSame = (a: unknown, b: unknown): boolean => canonicalJson(a) === canonicalJson(b);
