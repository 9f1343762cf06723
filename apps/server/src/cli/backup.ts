import { accessSync, chmodSync, chownSync, constants, existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Command } from "commander";
import { type ConfigFlags, readConfig } from "../config/config.js";
import { engineOf } from "../storage/engine.js";
import { hasCode } from "../storage/faults.js";
import { claimDatabase, createDataDirectory, databaseLock } from "./data-directory.js";
import { prepareData, withDatabaseOptions } from "./database.js";
import { CommandFailed, UsageError } from "./failure.js";
import { count, requireFile, shellWord, stoppableProgress, type Terminal } from "./terminal.js";

export function addBackupCommands(program: Command, terminal: Terminal): void {
  withDatabaseOptions(program.command("backup").description("copy the database while the server runs, and verify the copy"))
    .argument("<directory>", "where to put it; created when missing")
    .action((directory: string, flags: ConfigFlags) => backup(terminal, directory, flags));

  withDatabaseOptions(program.command("restore").description("put a backup in the place of the database; the server must be stopped"))
    .argument("<file>", "what `backup` wrote")
    .option("--force", "replace a database that is there")
    .action((file: string, flags: ConfigFlags & { force?: true }) => restore(terminal, file, flags));
}

async function backup(terminal: Terminal, directory: string, flags: ConfigFlags): Promise<void> {
  const { engine } = prepareData(terminal.env, flags, { creates: false });
  const name = `periscope-${new Date().toISOString().replaceAll(/[-:]|\.\d+/g, "")}`;
  if (!engine.backup)
    throw new CommandFailed(
      `Nothing was backed up: ${engine.place} is backed up by PostgreSQL's own tools. Run:\n  pg_dump --format=custom --file=${shellWord(join(directory, `${name}.dump`))} "$DATABASE_URL"`,
    );
  createDataDirectory(directory);
  accessSync(directory, constants.W_OK);
  const target = join(directory, `${name}.db`);
  using progress = stoppableProgress(terminal, "pages", "Stopped. Nothing is left behind; run the same command to start again.");
  await engine.backup(target, progress.show);
  const report = await engineOf(`file:${target}`).inspect();
  progress[Symbol.dispose]();
  terminal.out(`${target}\n`);
  terminal.err(`Backed up and verified: ${count(report?.users ?? 0)} users, ${count(report?.keys ?? 0)} valid keys.\n`);
}

async function restore(terminal: Terminal, file: string, flags: ConfigFlags & { force?: true }): Promise<void> {
  const engine = engineOf(readConfig(terminal.env, flags).databaseUrl);
  if (!engine.restore || engine.file === undefined)
    throw new CommandFailed(
      `Nothing was restored: ${engine.place} is restored by PostgreSQL's own tools. Run:\n  pg_restore --clean --if-exists --dbname="$DATABASE_URL" ${shellWord(file)}`,
    );
  requireFile(file);
  const found = await engineOf(`file:${file}`)
    .inspect()
    .catch((error: unknown) => {
      if (hasCode(error, /^SQLITE_(?:NOTADB|CORRUPT)/)) return null;
      throw error;
    });
  // An empty file is a sound database, too.
  if (!found?.isPeriscope || found.damage.length > 0)
    throw new CommandFailed(`${file} is damaged, or is no backup. Nothing was changed. Choose another one.`);
  if (found.unknown.length > 0)
    throw new CommandFailed(`A newer version of Periscope wrote ${file}. Nothing was changed. Install that version.`);
  if (existsSync(engine.file) && !flags.force)
    throw new UsageError(`There is a database ${engine.file} already. Nothing was changed. Add --force to replace it.`);
  createDataDirectory(dirname(engine.file));
  const { uid, gid } = statSync(existsSync(engine.file) ? engine.file : dirname(engine.file));
  using _claim = claimDatabase(engine.file);
  using progress = stoppableProgress(terminal, "bytes", "Stopped. Nothing was changed; run the same command to start again.");
  await engine.restore(file, progress.show);
  progress[Symbol.dispose]();
  chmodSync(engine.file, 0o600);
  // The server's user is to have what root restores.
  if (process.getuid?.() === 0) for (const path of [engine.file, databaseLock(engine.file)]) chownSync(path, uid, gid);
  terminal.out(`Restored ${engine.file}: ${count(found.users)} users, ${count(found.keys)} valid keys. Start the server.\n`);
}
