import type { Command } from "commander";
import type { ConfigFlags } from "../config/config.js";
import { isPostgresUrl } from "../database-url.js";
import { distributeStorage, migrateStorage } from "../storage/open-storage.js";
import { prepareData, withDatabaseOptions } from "./database-options.js";
import { UsageError } from "./failure.js";
import type { Terminal } from "./terminal.js";

interface MigrateFlags extends ConfigFlags {
  distribute?: true;
}

/** `periscope migrate`. */
export function addMigrateCommand(program: Command, terminal: Terminal): void {
  withDatabaseOptions(program.command("migrate").description("bring the database up to date; serve does so too"))
    .option("--distribute", "spread the tables over the machines of a Citus cluster, by user")
    .action((flags: MigrateFlags) => migrate(terminal, flags));
}

async function migrate(terminal: Terminal, flags: MigrateFlags): Promise<void> {
  const { databaseUrl } = prepareData(terminal.env, flags);
  if (flags.distribute && !isPostgresUrl(databaseUrl))
    throw new UsageError("--distribute needs PostgreSQL with Citus; name it with --database-url or DATABASE_URL.");
  const listed = (names: readonly string[]) => names.map((name) => `  ${name}\n`).join("");
  const { applied } = await migrateStorage(databaseUrl);
  terminal.out(applied.length === 0 ? "The database is up to date.\n" : `The database was brought up to date:\n${listed(applied)}`);
  if (!flags.distribute) return;
  const tables = await distributeStorage(databaseUrl);
  terminal.out(
    tables.length === 0 ? "Every table is spread already.\n" : `These tables are spread over the cluster now:\n${listed(tables)}`,
  );
}
