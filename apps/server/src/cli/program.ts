import { Command } from "commander";
import manifest from "../../package.json" with { type: "json" };
import { addDoctorCommand } from "./doctor.js";
import { type ExitCode, explainFailure } from "./failure.js";
import { addKeysCommand } from "./keys.js";
import { addMigrateCommand } from "./migrate.js";
import { addPrivacyCommand } from "./privacy.js";
import { addServeCommand } from "./serve.js";
import type { Terminal } from "./terminal.js";
import { addUsersCommand } from "./users.js";

/** Runs the `periscope` command with the given words; never throws. */
export async function runCommand(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  try {
    await program(terminal).parseAsync(words, { from: "user" });
    return 0;
  } catch (error) {
    const { message, exitCode } = explainFailure(error);
    if (message !== "") terminal.err(`${message}\n`);
    return exitCode;
  }
}

function program(terminal: Terminal): Command {
  const command = new Command("periscope")
    .description("Periscope, a browser context service: keeps what you are viewing, filtered for privacy, for your agents.")
    .version(manifest.version)
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
    .showHelpAfterError("Add --help to see what there is.")
    .exitOverride();
  addServeCommand(command, terminal);
  addMigrateCommand(command, terminal);
  addUsersCommand(command, terminal);
  addKeysCommand(command, terminal);
  addPrivacyCommand(command, terminal);
  addDoctorCommand(command, terminal);
  return command.addHelpText("after", exitCodes);
}

const exitCodes = `
Exit codes: 0 done, 1 failed, 2 wrong usage or settings, 130 stopped before the end.`;
