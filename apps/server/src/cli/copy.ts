import { dirname } from "node:path";
import type { Command } from "commander";
import { createDataDirectory } from "../data-directory.js";
import { fileOf, isPostgresUrl } from "../database-url.js";
import { type Comparison, isSameInstallation } from "../storage/copy/compare.js";
import { compareStorage, type CopyReport, copyStorage } from "../storage/copy/copy-storage.js";
import type { Snapshot } from "../storage/copy/copy-ends.js";
import { openCopyTarget, openSnapshot } from "../storage/copy/open-copy-ends.js";
import { claimSource, claimTarget, requireThere } from "./copy-claims.js";
import { comparisonJson, comparisonTable, copyPlace, databaseOf } from "./copy-report.js";
import { explainFailure, Incomplete, Interrupted, UsageError } from "./failure.js";
import { type ProgressLine, progressLine } from "./progress-line.js";
import { listenForStop } from "./stop-signal.js";
import type { Terminal } from "./terminal.js";

interface CopyFlags {
  from: string;
  to: string;
  live?: true;
  startOver?: true;
  verify?: true;
  json?: true;
}

/** `periscope copy`. */
export function addCopyCommand(program: Command, terminal: Terminal): void {
  program
    .command("copy")
    .description("copy all that is stored into another database, of either engine")
    .requiredOption("--from <url>", "the database to copy, such as sqlite:/var/lib/periscope/periscope.db; it is only read")
    .requiredOption("--to <url>", "the database to copy into, such as postgres://host/periscope; new and empty")
    .option("--live", "copy although a server is at work on the source: what it stores from now on is not copied")
    .option("--start-over", "remove what an unfinished copy has left in the target, and begin anew")
    .option("--verify", "copy nothing: compare the two databases")
    .option("--json", "print one JSON object")
    .addHelpText("after", help)
    .action((flags: CopyFlags) => copy(terminal, flags));
}

const help = `
Users, keys, contexts, records of replays and deletes, settings, errors and privacy rules are copied as
they are; the search index is made anew. In the end both databases are read and compared, table by table.

Stop the server of the source first. An interrupted copy goes on when the same command is given again, and
until it has come to its end no server starts on the target. A password need not stand in the address:
PGPASSWORD and ~/.pgpass are read too.`;

async function copy(terminal: Terminal, { from: givenFrom, to: givenTo, ...flags }: CopyFlags): Promise<void> {
  const [from, to] = [databaseOf("--from", givenFrom), databaseOf("--to", givenTo)];
  if (from === to) throw new UsageError("--from and --to name the same database. Give --to another one, new and empty.");
  if (flags.verify && flags.startOver) throw new UsageError("--verify copies nothing, so there is nothing to start over.");
  requireThere(from);
  await using _source = await claimSource(from, flags.live === true);
  await using source = await openSnapshot(from);
  if (flags.verify) return await verify(terminal, { from, to, source, ...flags });
  if (!isPostgresUrl(to)) createDataDirectory(dirname(fileOf(to)));
  await using _target = await claimTarget(to);
  const report = await copyAll(terminal, { from, to, source, startOver: flags.startOver === true });
  if (report.sourceChanged) terminal.err("The source has changed since the copy was begun, so it was begun anew.\n");
  if (report.comparison === null) throw new Interrupted("Stopped. What was copied is kept: the same command goes on from there.");
  print(terminal, flags, report.comparison, report);
  if (!isSameInstallation(report.comparison))
    throw new Incomplete(
      `The copy differs from the source in ${differing(report.comparison)}, and no server starts on it. Copy again with --start-over; when it differs again, the disk or the database is at fault.`,
    );
}

interface Ends {
  from: string;
  to: string;
  source: Snapshot;
}

async function copyAll(terminal: Terminal, { from, to, source, startOver }: Ends & { startOver: boolean }): Promise<CopyReport> {
  using stop = listenForStop();
  let isStopped = false;
  void stop.requested.then(() => (isStopped = true));
  await using target = await openCopyTarget(to);
  using copied = progressLine(terminal, "rows copied");
  using compared = laterProgress(terminal, "rows compared");
  let done = 0;
  try {
    return await copyStorage({
      source,
      target,
      from: copyPlace(from),
      to: copyPlace(to),
      openTargetSnapshot: () => openSnapshot(to),
      startOver,
      onCopied: (rows, total) => copied.show((done = rows), total),
      onCompared: (rows, total) => compared.show(rows, total),
      isStopped: () => isStopped,
    });
  } catch (error) {
    if (done === 0) throw error;
    throw new Incomplete(`${explainFailure(error).message}\nWhat was copied is kept: the same command goes on from there.`);
  }
}

async function verify(terminal: Terminal, { from, to, source, json }: Ends & Pick<CopyFlags, "json">): Promise<void> {
  requireThere(to);
  await using _target = await claimTarget(to);
  await using target = await openSnapshot(to);
  using line = progressLine(terminal, "rows compared");
  const comparison = await compareStorage({ source, target, onCompared: (done, total) => line.show(done, total) });
  print(terminal, { json }, comparison);
  if (!isSameInstallation(comparison))
    throw new Incomplete(`${copyPlace(to)} differs from ${copyPlace(from)} in ${differing(comparison)}.`);
}

function print(terminal: Terminal, { json }: { json?: true | undefined }, comparison: Comparison, report?: CopyReport): void {
  terminal.out(json ? comparisonJson(comparison, report) : comparisonTable(comparison, report));
}

function differing({ tables, index }: Comparison): string {
  const names = tables.filter(({ isSame }) => !isSame).map(({ table }) => table);
  return [...names, ...(index.isSame ? [] : ["the search index"])].join(", ");
}

/** A line that begins with the first progress: its speed is that of its own work. */
function laterProgress(terminal: Terminal, unit: string): ProgressLine {
  let line: ProgressLine | undefined;
  return {
    show: (done, total) => (line ??= progressLine(terminal, unit)).show(done, total),
    [Symbol.dispose]: () => line?.[Symbol.dispose](),
  };
}
