import type { Command } from "commander";
import type { Terminal } from "./terminal.js";

/** `periscope privacy …`: each subcommand has a file of its own. */
export function addPrivacyCommand(program: Command, _terminal: Terminal): void {
  program.command("privacy").description("what is removed from contexts before they are stored");
}
