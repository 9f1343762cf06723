import type { Command } from "commander";
import type { ConfigFlags } from "../config.js";
import { migrateStorage } from "../storage/open-storage.js";
import { prepareData, withDatabaseOptions } from "./database-options.js";
import type { Terminal } from "./terminal.js";

/** `periscope migrate`. */
export function addMigrateCommand(program: Command, terminal: Terminal): void {
  withDatabaseOptions(program.command("migrate").description("bring the database up to date; serve does so too")).action(
    async (flags: ConfigFlags) => {
      const { databaseUrl } = prepareData(terminal.env, flags);
      const { applied } = await migrateStorage(databaseUrl);
      const names = applied.map((name) => `  ${name}\n`).join("");
      terminal.out(applied.length === 0 ? "The database is up to date.\n" : `The database was brought up to date:\n${names}`);
    },
  );
}
