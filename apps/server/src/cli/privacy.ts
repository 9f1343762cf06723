import type { Command } from "commander";
import { addPrivacyApplyCommand } from "./privacy-apply.js";
import type { Terminal } from "./terminal.js";

/** `periscope privacy …`: each subcommand has a file of its own. */
export function addPrivacyCommand(program: Command, terminal: Terminal): void {
  const privacy = program.command("privacy").description("what is removed from contexts before they are stored");
  addPrivacyApplyCommand(privacy, terminal);
}
