import { type FilterPolicy, privacyLevels } from "@periscope/privacy";
import type { Command } from "commander";
import manifest from "../../package.json" with { type: "json" };
import type { ConfigFlags } from "../config/config.js";
import { createPrivacyFilter } from "../privacy/privacy-filter.js";
import { refilter, type RefilterReport } from "../refilter/refilter.service.js";
import { createUserFilters } from "../privacy/user-filters.js";
import { findServer, isClaimed } from "./data-directory.js";
import { prepareData, requireUser, userIdOption, withDatabaseOptions } from "./database.js";
import { CommandFailed, Interrupted, UsageError } from "./failure.js";
import { commandName, count, countTable, listenForStop, progressLine, type Terminal } from "./terminal.js";

interface ApplyFlags extends ConfigFlags {
  user?: string;
  dryRun?: true;
  all?: true;
  json?: true;
}

export function addPrivacyApplyCommand(privacy: Command, terminal: Terminal): void {
  withDatabaseOptions(privacy.command("apply").description("filter stored contexts again, after a rule or level became stricter"))
    .option("--user <id>", "only contexts of this user", userIdOption)
    .option("--dry-run", "count what would change, and write nothing")
    .option("--all", "start over: also check what an earlier run checked under the same policy")
    .option("--json", "print one JSON object")
    .addHelpText("after", help)
    .action((flags: ApplyFlags) => applyPrivacy(terminal, flags));
}

const help = `
Filtering again only removes: no level is lowered, and removed text does not come back. Contexts of sites
that are blocked now are deleted. Run this command with the server's environment.

The server may keep running. Restart it first when its settings or version changed, because it stores new
contexts under the policy it started with. On SQLite, a running server with another policy is noticed, and
nothing is changed; with PostgreSQL nothing looks for one. Users' own rules apply at once. At the end, a SQLite database
is rewritten: this needs free disk space, and the server's writes wait.

Ctrl-C stops the command; run it again to continue. When it is done, it has nothing to do until the
policy, the user's rules or the version change. If contexts were stored under another policy meanwhile,
it says so and exits with 1: run it again.`;

async function applyPrivacy(terminal: Terminal, flags: ApplyFlags): Promise<void> {
  const { config, engine } = prepareData(terminal.env, flags, { creates: false });
  const { dataDir, privacyPolicy } = config;
  const isDryRun = flags.dryRun === true;
  if (!isDryRun && engine.file !== undefined) requireSamePolicy(dataDir, engine.file, privacyPolicy);
  const database = isDryRun ? await engine.inspect({ checksDamage: false }) : null;
  if (database && database.pending.length > 0)
    throw new UsageError(
      `The database must be migrated first, and a dry run writes nothing. Run \`${commandName(terminal.env)} migrate\`.`,
    );
  using stop = listenForStop();
  await using storage = await engine.open(config);
  if (flags.user !== undefined) await requireUser(terminal, storage.access, flags.user);
  const line = progressLine(terminal, "contexts");
  const report = await refilter({
    store: storage.refilter,
    userData: storage.userData,
    access: storage.access,
    // The report counts contexts that could not be filtered.
    filters: createUserFilters({ rules: storage.rules, operator: privacyPolicy, version: manifest.version, onFailedClosed: () => {} }),
    clock: Date.now,
    scrub: () => storage.scrub({ rebuild: true }),
    userId: flags.user,
    isDryRun,
    startOver: flags.all === true,
    onProgress: (done, total) => line.show(done, total),
    isStopped: () => stop.isRequested,
  }).finally(() => line[Symbol.dispose]());
  terminal.out(flags.json ? `${JSON.stringify(report)}\n` : applyTable(report));
  if (report.isStopped)
    throw new Interrupted(
      isDryRun
        ? "Stopped. Nothing was written."
        : `Stopped. The work so far is saved: run the same command${flags.all ? ", without --all," : ""} to continue.`,
    );
  if (report.disturbed > 0)
    throw new CommandFailed(
      `Contexts of ${people(report.disturbed)} were stored under another policy meanwhile. Restart the server with the environment of this command, then run the command again.`,
    );
}

/** Removed text is gone for good, so settings that differ from the server's by mistake must not be applied. */
function requireSamePolicy(dataDir: string, file: string, policy: FilterPolicy): void {
  const running = findServer(dataDir)?.info?.policy;
  if (running === undefined && isClaimed(file))
    throw new UsageError(
      "A server that is starting, or has another data directory, uses this database, so its privacy policy is not known. Nothing was changed. Run this command with the server's environment, or stop the server first.",
    );
  if (running === undefined || running === createPrivacyFilter(policy, manifest.version).policyId) return;
  throw new UsageError(
    "The running server uses another privacy policy than these settings. Nothing was changed. Run this command with the server's environment, or restart the server with this one first.",
  );
}

/** A report for people: what was done, without rows for what did not happen. */
export function applyTable({ users, upToDate, isDryRun, isStopped, counts }: RefilterReport): string {
  if (users === 0) return "No users yet.\n";
  if (upToDate === users)
    return `Nothing to do: all contexts of ${people(users)} were checked under this policy. Add --all to check them again.\n`;
  const { raised } = counts;
  const rows: Array<[what: string, count: number]> = [
    ["users", users],
    ...unlessZero("  nothing to do", upToDate),
    ["contexts checked", counts.checked],
    ["  unchanged", counts.unchanged],
    ["  rewritten", counts.rewritten],
    ...privacyLevels.flatMap((from) =>
      privacyLevels.flatMap((to) => unlessZero(`    raised from ${from} to ${to}`, raised[from]?.[to] ?? 0)),
    ),
    ...unlessZero("    could not be filtered, now restricted", counts.failedClosed),
    ["  removed", sum(counts.removed)],
    ...sorted(counts.removed, "    "),
    ["values redacted", sum(counts.redactions)],
    ...sorted(counts.redactions, "  "),
    ["extension settings rewritten", counts.configs],
    ["extension errors rewritten", counts.errors],
    ["replay records stripped", counts.replayRecords],
  ];
  const note = isDryRun && !isStopped ? "Nothing was written. A run without --dry-run would do this.\n" : "";
  return countTable(rows) + note;
}

function unlessZero(what: string, value: number): Array<[string, number]> {
  return value === 0 ? [] : [[what, value]];
}

function sorted(counts: Record<string, number>, indent: string): Array<[string, number]> {
  const entries = Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([what, value]) => [indent + what, value]);
}

const sum = (counts: Record<string, number>): number => Object.values(counts).reduce((total, value) => total + value, 0);

const people = (users: number): string => (users === 1 ? "1 user" : `${count(users)} users`);
