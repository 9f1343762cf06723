import { Command } from "commander";
import manifest from "../../package.json" with { type: "json" };
import { unknownSettings } from "../config/config.js";
import { addBackupCommands } from "./backup.js";
import { addDoctorCommand } from "./doctor.js";
import { addExportCommand } from "./export.js";
import { type ExitCode, explainFailure } from "./failure.js";
import { addImportCommand } from "./import.js";
import { addKeysCommand } from "./keys.js";
import { addMigrateCommand } from "./migrate.js";
import { addPrivacyCommand } from "./privacy.js";
import { addRetentionCommand } from "./retention.js";
import { addServeCommand } from "./serve.js";
import type { Terminal } from "./terminal.js";
import { addUsersCommand } from "./users.js";

/** Runs the `periscope` command with the given words; never throws. */
export async function runCommand(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  try {
    await createProgram(terminal).parseAsync(words, { from: "user" });
    return 0;
  } catch (error) {
    const { message, exitCode } = explainFailure(error);
    if (message !== "") terminal.err(`${message}\n`);
    return exitCode;
  }
}

function createProgram(terminal: Terminal): Command {
  const program = new Command("periscope")
    .description("Periscope, a browser context service: stores what you view, filtered for privacy, for your agents.")
    .version(manifest.version)
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
    .showHelpAfterError("Add --help to see the usage.")
    .exitOverride()
    .hook("preAction", (_, command) => {
      // `doctor` lists them itself.
      if (command.name() === "doctor") return;
      for (const warning of unknownSettings(terminal.env)) terminal.err(`${warning}\n`);
    });
  addServeCommand(program, terminal);
  addMigrateCommand(program, terminal);
  addUsersCommand(program, terminal);
  addKeysCommand(program, terminal);
  addPrivacyCommand(program, terminal);
  addExportCommand(program, terminal);
  addImportCommand(program, terminal);
  addRetentionCommand(program, terminal);
  addBackupCommands(program, terminal);
  addDoctorCommand(program, terminal);
  return program.addHelpText("after", "\nExit codes: 0 done, 1 failed, 2 wrong usage or settings, 130 stopped before the end.");
}
