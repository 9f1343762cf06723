import type { Command } from "commander";
import type { ConfigFlags } from "../config/config.js";
import { prepareData, withDatabaseOptions } from "./database.js";
import { UsageError } from "./failure.js";
import type { Terminal } from "./terminal.js";

/** `periscope migrate`. */
export function addMigrateCommand(program: Command, terminal: Terminal): void {
  withDatabaseOptions(program.command("migrate").description("bring the database up to date; serve does this too"))
    .option("--distribute", "spread the tables over the machines of a Citus cluster, by user")
    .action(async (flags: ConfigFlags & { distribute?: true }) => {
      const { engine } = prepareData(terminal.env, flags);
      if (flags.distribute && !engine.distribute)
        throw new UsageError("--distribute needs PostgreSQL with Citus. Name the database with --database-url or DATABASE_URL.");
      const applied = await engine.migrate();
      terminal.out(applied.length === 0 ? "The database is up to date.\n" : `Applied these migrations:\n${list(applied)}`);
      if (!flags.distribute || !engine.distribute) return;
      const tables = await engine.distribute();
      terminal.out(tables.length === 0 ? "All tables were spread already.\n" : `Spread these tables over the cluster:\n${list(tables)}`);
    });
}

const list = (names: readonly string[]) => names.map((name) => `  ${name}\n`).join("");
