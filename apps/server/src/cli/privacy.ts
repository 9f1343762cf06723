import type { Command } from "commander";
import { addPrivacyApplyCommand } from "./privacy-apply.js";
import { addPrivacyExplainCommand } from "./privacy-explain.js";
import { addPrivacyPolicyCommand } from "./privacy-policy.js";
import { addPrivacyRulesCommand } from "./privacy-rules.js";
import type { Terminal } from "./terminal.js";

/** `periscope privacy …`: each subcommand has a file of its own. */
export function addPrivacyCommand(program: Command, terminal: Terminal): void {
  const privacy = program.command("privacy").description("what is removed from contexts before they are stored");
  addPrivacyPolicyCommand(privacy, terminal);
  addPrivacyRulesCommand(privacy, terminal);
  addPrivacyExplainCommand(privacy, terminal);
  addPrivacyApplyCommand(privacy, terminal);
}
