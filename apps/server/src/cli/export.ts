import { createWriteStream, existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { Command } from "commander";
import type { ConfigFlags } from "../config/config.js";
import { exportAll, exportUser } from "../data/export.service.js";
import { chosenUser, prepareData, requireUser, userIdOption, withDatabaseOptions } from "./database.js";
import { UsageError } from "./failure.js";
import { count, stoppableProgress, type Terminal } from "./terminal.js";

interface ExportFlags extends ConfigFlags {
  user?: string;
  all?: true;
}

export function addExportCommand(program: Command, terminal: Terminal): void {
  withDatabaseOptions(program.command("export").description("write everything that is stored of a user, or of all users, to a file"))
    .argument("<file>", "where to write; packed when it ends in .gz; - for standard output")
    .option("--user <id>", "the user; needed when there are several", userIdOption)
    .option("--all", "the whole installation: users, accounts, hashes of keys and passwords, and all data")
    .addHelpText("after", help)
    .action((file: string, flags: ExportFlags) => exportData(terminal, file, flags));
}

const help = `
The file is JSON lines: a header, contexts, rules, settings, and a last line by which \`import\` sees that
nothing is missing or changed. The server may keep running. To move an installation, stop the server first:

  periscope export --all - | periscope import - --database-url postgres://user@host/periscope`;

async function exportData(terminal: Terminal, file: string, flags: ExportFlags): Promise<void> {
  if (flags.all && flags.user !== undefined) throw new UsageError("Give --user or --all, not both.");
  if (file !== "-" && existsSync(file)) throw new UsageError(`There is a file ${file} already. Remove it, or choose another name.`);
  const { config, engine } = prepareData(terminal.env, flags, { creates: false });
  using progress = stoppableProgress(terminal, "contexts", "Stopped. Nothing is left behind; run the same command to start again.");
  await using storage = await engine.open(config);
  const deps = { stores: storage, clock: Date.now };
  let written = 0;
  const onProgress = (done: number, total: number) => progress.show((written = done), total);
  if (flags.user !== undefined) await requireUser(terminal, storage.access, flags.user);
  const text = flags.all
    ? await exportAll(deps, onProgress)
    : await exportUser(deps, await chosenUser(terminal, flags.user, storage.access), {}, { onProgress });
  const source = Readable.from(text, { objectMode: false });
  if (file !== "-") await writeFile(source, file);
  else if (terminal.stdout) await pipeline(source, terminal.stdout, { end: false });
  else throw new UsageError("There is no standard output. Name a file.");
  progress[Symbol.dispose]();
  terminal.err(`Exported ${count(written)} contexts.\n`);
}

async function writeFile(source: Readable, file: string): Promise<void> {
  // Under its own name only once it is whole.
  const part = `${file}.part`;
  try {
    const target = createWriteStream(part, { mode: 0o600 });
    await (file.endsWith(".gz") ? pipeline(source, createGzip(), target) : pipeline(source, target));
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}
