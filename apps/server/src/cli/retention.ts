import type { Command } from "commander";
import manifest from "../../package.json" with { type: "json" };
import type { ConfigFlags } from "../config/config.js";
import { createContextRemoval } from "../contexts/context-removal.js";
import { applyRetention } from "../data/retention.service.js";
import { createUserFilters } from "../privacy/user-filters.js";
import { PerUserQueue } from "../workers/per-user-queue.js";
import { prepareData, requireUser, userIdOption, withDatabaseOptions } from "./database.js";
import { Interrupted } from "./failure.js";
import { count, listenForStop, progressLine, type Terminal } from "./terminal.js";

interface RetentionFlags extends ConfigFlags {
  user?: string;
  dryRun?: true;
}

export function addRetentionCommand(program: Command, terminal: Terminal): void {
  const retention = program.command("retention").description("how long contexts are kept");
  withDatabaseOptions(retention.command("apply").description("delete what is past its time now; the server does this once an hour"))
    .option("--user <id>", "only contexts of this user", userIdOption)
    .option("--dry-run", "count what would be deleted, and delete nothing")
    .action((flags: RetentionFlags) => runRetention(terminal, flags));
}

async function runRetention(terminal: Terminal, flags: RetentionFlags): Promise<void> {
  const { config, engine } = prepareData(terminal.env, flags, { creates: false });
  using stop = listenForStop();
  await using storage = await engine.open(config);
  if (flags.user !== undefined) await requireUser(terminal, storage.access, flags.user);
  const filters = createUserFilters({ ...storage, operator: config.privacyPolicy, version: manifest.version, onFailedClosed: () => {} });
  const removal = createContextRemoval({ store: storage.userData, filters, queue: new PerUserQueue(), clock: Date.now });
  const deps = { stores: storage, removal, clock: Date.now, operatorRetention: config.retention };
  const isDryRun = flags.dryRun === true;
  const which = { userId: flags.user, isStopped: () => stop.isRequested };
  const total = await applyRetention(deps, { ...which, isDryRun: true });
  const line = progressLine(terminal, "contexts");
  const contexts = isDryRun
    ? total
    : await applyRetention(deps, { ...which, onProgress: (done) => line.show(done, total) }).finally(() => line[Symbol.dispose]());
  if (!isDryRun && contexts > 0) await storage.scrub();
  terminal.out(
    isDryRun ? `${count(contexts)} contexts would be deleted. Nothing was deleted.\n` : `Deleted ${count(contexts)} contexts.\n`,
  );
  if (stop.isRequested) throw new Interrupted("Stopped. Run the same command to continue.");
}
