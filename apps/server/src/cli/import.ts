import { createReadStream, openSync, readFileSync, readSync, closeSync } from "node:fs";
import { availableParallelism } from "node:os";
import type { ImportReport } from "@periscope/schemas";
import type { Command } from "commander";
import manifest from "../../package.json" with { type: "json" };
import type { ConfigFlags } from "../config/config.js";
import { type ForeignImport, parseForeignText, toExport } from "../data/foreign.js";
import { createImportService } from "../data/import.service.js";
import { type Source, Spool } from "../data/spool.js";
import { hasCode } from "../storage/faults.js";
import { readBrowserHistory } from "../storage/sqlite/browser-history.js";
import { createUserFilters } from "../privacy/user-filters.js";
import type { ServerTasks } from "../worker.js";
import { WorkerPool } from "../workers/worker-pool.js";
import { createDataDirectory } from "./data-directory.js";
import { chosenUser, prepareData, userIdOption, withDatabaseOptions } from "./database.js";
import { Interrupted, UsageError } from "./failure.js";
import { countTable, listenForStop, printable, progressLine, requireFile, type Terminal } from "./terminal.js";

interface ImportFlags extends ConfigFlags {
  user?: string;
  allowPartial?: true;
  json?: true;
}

export function addImportCommand(program: Command, terminal: Terminal): void {
  withDatabaseOptions(program.command("import").description("read what `export` wrote, or bookmarks and history of other programs"))
    .argument("<file>", "what to read, also packed by gzip; - for an export from standard input")
    .option("--user <id>", "the user who gets it; by default the one that the export names", userIdOption)
    .option("--allow-partial", "take what is there of a file that was cut off or changed")
    .option("--json", "print one JSON object")
    .addHelpText("after", help)
    .action((file: string, flags: ImportFlags) => importData(terminal, file, flags));
}

const help = `
Beside its own exports, it reads bookmarks (HTML), the history of Chrome (its file History) and of Firefox
(places.sqlite), and JSON of Karakeep and ArchiveBox. Each page becomes a context of the type navigation.

Every context passes the present privacy filter: run this command with the server's environment. Ids and
times are kept, and of two states of a context the newer one stays. Ctrl-C stops the command; run it again
to continue: what is stored already is left alone. The server may keep running.`;

async function importData(terminal: Terminal, file: string, flags: ImportFlags): Promise<void> {
  if (file !== "-") requireFile(file);
  const { config, engine } = prepareData(terminal.env, flags);
  using stop = listenForStop();
  createDataDirectory(config.dataDir);
  await using pool = new WorkerPool<ServerTasks>(Math.max(2, availableParallelism()) + 1);
  await using storage = await engine.open(config);
  const foreign = file === "-" ? undefined : await readForeign(terminal, file, flags.user, storage.access);
  await using source = file === "-" ? await keep(terminal, config.dataDir) : (foreign ?? fileSource(file));
  // The report counts what could not be filtered by its level alone.
  const filters = createUserFilters({ ...storage, operator: config.privacyPolicy, version: manifest.version, onFailedClosed: () => {} });
  const imports = createImportService({ ...storage, store: storage.userData, filters, pool, clock: Date.now, directory: config.dataDir });
  const line = progressLine(terminal, "contexts");
  const stopped = new AbortController();
  void stop.requested.then(() => stopped.abort());
  const report = await imports
    .fromSource(source, flags.user, {
      allowPartial: flags.allowPartial === true,
      mayDelete: true,
      onProgress: (done, total) => line.show(done, total),
      signal: stopped.signal,
    })
    .finally(() => line[Symbol.dispose]());
  const skipped = foreign && Object.fromEntries(foreign.skipped);
  terminal.out(flags.json ? `${JSON.stringify({ ...report, ...(skipped && { skipped }) })}\n` : reportTable(report, skipped));
  if (stop.isRequested) throw new Interrupted("Stopped. Run the same command to continue: what is stored already is left alone.");
}

const headBytes = 4_096;

/** What another program has written, as an export for the user; undefined for an export of this service. Throws {@link UsageError}. */
async function readForeign(
  terminal: Terminal,
  file: string,
  user: string | undefined,
  access: Parameters<typeof chosenUser>[2],
): Promise<(ForeignImport & AsyncDisposable) | undefined> {
  const head = Buffer.alloc(headBytes);
  const handle = openSync(file, "r");
  const text = head.toString("utf8", 0, readSync(handle, head));
  closeSync(handle);
  const isDatabase = text.startsWith("SQLite format 3");
  // An export may be larger than the memory.
  if (!isDatabase && !/^\s*(?:<!doctype|[[{](?!"kind"))/i.test(text)) return undefined;
  const found = readPages(file, isDatabase);
  if (!found) throw new UsageError(`${file} is nothing that can be imported. Add --help to see what can.`);
  const userId = await chosenUser(terminal, user, access);
  return { ...toExport(found.pages, found.format, userId, Date.now()), async [Symbol.asyncDispose]() {} };
}

function readPages(file: string, isDatabase: boolean) {
  try {
    return isDatabase ? readBrowserHistory(file) : parseForeignText(readFileSync(file, "utf8"));
  } catch (error) {
    if (error instanceof SyntaxError) throw new UsageError(`${file} is not valid JSON. Export it again.`);
    if (hasCode(error, /^SQLITE_(?:CORRUPT|NOTADB)/)) throw new UsageError(`${file} is damaged, or not whole. Copy it again.`);
    throw error;
  }
}

const fileSource = (file: string): Source & AsyncDisposable => ({
  read: () => createReadStream(file),
  async [Symbol.asyncDispose]() {},
});

/** Standard input, kept so that it can be checked to its end before anything is stored. */
async function keep({ stdin }: Terminal, directory: string): Promise<Spool> {
  if (!stdin) throw new UsageError("There is no standard input. Name a file.");
  const spool = await Spool.create(directory);
  for await (const _chunk of spool.write(stdin));
  return spool;
}

function reportTable({ failures, ...counts }: ImportReport, skipped: Record<string, number> = {}): string {
  const rows: Array<[string, number]> = [
    ["contexts created", counts.created],
    ["contexts updated", counts.updated],
    ["contexts stored already", counts.unchanged],
    ["older than what is stored", counts.newer],
    ["deleted here since", counts.deleted],
    ["kept out by the privacy policy", counts.rejected],
    ["lines that are not valid", counts.failed],
    ["rules and settings taken over", counts.settings],
    ...Object.entries(skipped).map(([reason, pages]): [string, number] => [`skipped: ${reason}`, pages]),
  ];
  const reasons = failures.map(({ line, contextId, message }) => {
    const name = contextId === undefined ? "" : ` ${printable(contextId)}`;
    return `line ${line}${name}: ${printable(message).slice(1, -1)}\n`;
  });
  return countTable(rows) + reasons.join("");
}
