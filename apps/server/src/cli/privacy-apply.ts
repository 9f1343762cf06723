import type { FilterPolicy } from "@periscope/privacy";
import type { Command } from "commander";
import manifest from "../../package.json" with { type: "json" };
import { type ConfigFlags, readConfig } from "../config/config.js";
import { serverOf } from "./data-directory.js";
import { isPostgresUrl } from "../database-url.js";
import { type ApplyOptions, type ApplyReport, createApplyService } from "../privacy-apply/apply.service.js";
import { createUserFilters } from "../privacy/user-filters.js";
import { pendingMigrations } from "../storage/inspect-storage.js";
import { openStorage } from "../storage/open-storage.js";
import { requireDatabase, requireUser, withDatabaseOptions } from "./database-options.js";
import { Incomplete, Interrupted, UsageError } from "./failure.js";
import { userIdOption } from "./option-values.js";
import { applyTable, people } from "./privacy-apply-table.js";
import { policyName } from "./policy-name.js";
import { progressLine } from "./progress-line.js";
import { listenForStop } from "./stop-signal.js";
import { commandName, type Terminal } from "./terminal.js";

interface ApplyFlags extends ConfigFlags {
  user?: string;
  dryRun?: true;
  all?: true;
  json?: true;
}

/** `periscope privacy apply`. */
export function addPrivacyApplyCommand(privacy: Command, terminal: Terminal): void {
  withDatabaseOptions(privacy.command("apply").description("filter again what is stored, after a rule or level was raised"))
    .option("--user <id>", "only what is stored of one user", userIdOption)
    .option("--dry-run", "count what would change, and write nothing")
    .option("--all", "start over: check also what was checked under the same policy before")
    .option("--json", "print one JSON object")
    .addHelpText("after", help)
    .action((flags: ApplyFlags) => applyPrivacy(terminal, flags));
}

const help = `
Nothing ever widens: no level falls, and what was removed stays removed. Contexts of sites that are
blocked now are deleted. The settings are those of the server: give this command the same environment.

It works beside a running server. Restart that first when its settings or its version have changed, for
it stores new contexts under the policy it was started with; users' own rules hold at once. In the end
the database is written anew, for which the disk needs room; the server's writes wait meanwhile.

Ctrl-C stops it; the same command goes on there. Once it has come to its end, it finds nothing to do until
the policy, the user's rules or the version change, or anything was stored under others. Where that happens
during a run, it says so in the end (exit code 1), and is to be run again.`;

async function applyPrivacy(terminal: Terminal, flags: ApplyFlags): Promise<void> {
  const { dataDir, databaseUrl, searchTimeoutMs, privacyPolicy } = readConfig(terminal.env, flags);
  const isDryRun = flags.dryRun === true;
  if (!isDryRun && !isPostgresUrl(databaseUrl)) requireSamePolicy(dataDir, privacyPolicy);
  await checkDatabase(databaseUrl, { isDryRun, command: commandName(terminal.env) });
  using stop = listenForStop();
  let isStopped = false;
  void stop.requested.then(() => (isStopped = true));
  await using storage = await openStorage({ databaseUrl, searchTimeoutMs });
  if (flags.user !== undefined) await requireUser(terminal, storage.access, flags.user);
  const service = createApplyService({
    store: storage.apply,
    access: storage.access,
    // Contexts that the filter fails on are in the report.
    filters: createUserFilters({ rules: storage.rules, operator: privacyPolicy, version: manifest.version, onFailedClosed: () => {} }),
    clock: Date.now,
  });
  const report = await watched(terminal, (onProgress) =>
    service.apply({ userId: flags.user, isDryRun, startOver: flags.all === true, onProgress, isStopped: () => isStopped }),
  );
  terminal.out(flags.json ? `${JSON.stringify(report)}\n` : applyTable(report));
  if (report.isStopped)
    throw new Interrupted(
      isDryRun
        ? "Stopped; nothing was written."
        : `Stopped. What was done is kept: the same command${flags.all ? ", without --all," : ""} goes on from there.`,
    );
  if (report.disturbed > 0)
    throw new Incomplete(
      `Meanwhile something of ${people(report.disturbed)} was stored under another policy: restart the server with the environment of this command, then give the command again.`,
    );
}

/** What is removed is gone for good, so settings that differ from the server's by a slip must not reach what is stored. */
function requireSamePolicy(dataDir: string, policy: FilterPolicy): void {
  const running = serverOf(dataDir)?.presence?.policy;
  if (running === undefined || running === policyName(policy)) return;
  throw new UsageError(
    "The server that is running filters by another policy than these settings; nothing was changed. Give this command the server's environment, or restart the server with this one first.",
  );
}

async function checkDatabase(databaseUrl: string, { isDryRun, command }: { isDryRun: boolean; command: string }): Promise<void> {
  requireDatabase(databaseUrl);
  if (isDryRun && (await pendingMigrations(databaseUrl)).length > 0)
    throw new UsageError(`The database has to be brought up to date first, and a dry run writes nothing: run \`${command} migrate\`.`);
}

async function watched(terminal: Terminal, work: (onProgress: ApplyOptions["onProgress"]) => Promise<ApplyReport>): Promise<ApplyReport> {
  using line = progressLine(terminal, "contexts");
  return await work((done, total) => line.show(done, total));
}
