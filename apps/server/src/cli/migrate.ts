import type { Command } from "commander";
import type { ConfigFlags } from "../config/config.js";
import type { OnStep } from "../storage/engine.js";
import { prepareData, withDatabaseOptions } from "./database.js";
import { UsageError } from "./failure.js";
import { progressLine, type Terminal } from "./terminal.js";

export function addMigrateCommand(program: Command, terminal: Terminal): void {
  withDatabaseOptions(program.command("migrate").description("bring the database up to date; serve does this too"))
    .option("--distribute", "spread the tables over the machines of a Citus cluster, by user")
    .action(async (flags: ConfigFlags & { distribute?: true }) => {
      const { engine } = prepareData(terminal.env, flags);
      if (flags.distribute && !engine.distribute)
        throw new UsageError("--distribute needs PostgreSQL with Citus. Name the database with --database-url or DATABASE_URL.");
      const applied = await withProgress(terminal, "migrations", engine.migrate);
      terminal.out(applied.length === 0 ? "The database is up to date.\n" : `Applied these migrations:\n${list(applied)}`);
      if (!flags.distribute || !engine.distribute) return;
      const tables = await withProgress(terminal, "tables", engine.distribute);
      terminal.out(tables.length === 0 ? "All tables were spread already.\n" : `Spread these tables over the cluster:\n${list(tables)}`);
    });
}

async function withProgress(terminal: Terminal, unit: string, work: (onStep: OnStep) => Promise<string[]>): Promise<string[]> {
  // On SQLite no handler of a signal could run meanwhile. Without one, Ctrl-C ends the process, and the database undoes what is unfinished.
  using line = progressLine(terminal, unit);
  return await work(line.show);
}

const list = (names: readonly string[]) => names.map((name) => `  ${name}\n`).join("");
