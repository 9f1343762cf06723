import { type ContextExplanation, explainContext, type FilterInput, type FilterPolicy, type PrivacyLevel } from "@periscope/privacy";
import { CaptureUrl, ContentFormat, contentFormatOf, PrivacyLevel as Level } from "@periscope/schemas";
import { type Command, InvalidArgumentError, Option } from "commander";
import { type ConfigFlags, readConfig } from "../config/config.js";
import { userPolicy } from "../privacy/user-filters.js";
import { withDatabaseOptions } from "./database-options.js";
import { userIdOption } from "./option-values.js";
import { withRules } from "./privacy-rules.js";
import { readText } from "./read-text.js";
import { table } from "./table.js";
import type { Terminal } from "./terminal.js";

interface ExplainFlags extends ConfigFlags {
  url: string;
  title: string;
  format?: ContentFormat;
  level: PrivacyLevel;
  user?: string;
  json?: true;
}

/** `periscope privacy explain`. */
export function addPrivacyExplainCommand(privacy: Command, terminal: Terminal): void {
  withDatabaseOptions(privacy.command("explain").description("say what the filter would remove from a page, and store nothing"))
    .argument("[file]", "content of the page; standard input without it", "-")
    .option("--url <url>", "address of the page", urlOption, "https://page.invalid/")
    .option("--title <text>", "title of the page", "")
    .addOption(new Option("--format <format>", "how the content is written; without it, as in a sync").choices(ContentFormat.options))
    .addOption(new Option("--level <level>", "level asked for").choices(Level.options).default("private"))
    .option("--user <id>", "under this user's own rules, too", userIdOption)
    .option("--json", "print one JSON object")
    .addHelpText("after", help)
    .action((file: string, flags: ExplainFlags) => explainPage(terminal, file, flags));
}

const help = `
Each finding has its kind, rule and place, never the value. The operator's policy is that of the settings.`;

async function explainPage(terminal: Terminal, file: string, flags: ExplainFlags): Promise<void> {
  const policy = await policyOf(terminal, flags);
  const content = await readText(file, terminal);
  const input = inputOf(content, flags);
  const explanation = explainContext(input, policy);
  terminal.out(flags.json ? `${JSON.stringify(explanation)}\n` : explanationText(explanation, input));
}

async function policyOf(terminal: Terminal, flags: ExplainFlags): Promise<FilterPolicy> {
  const { privacyPolicy } = readConfig(terminal.env, flags);
  const { user: userId } = flags;
  if (userId === undefined) return privacyPolicy;
  return userPolicy(privacyPolicy, await withRules(terminal, { userId, flags }, (rules) => rules.get(userId)));
}

function inputOf(content: string, { url, title, format, level }: ExplainFlags): FilterInput {
  const tab = { id: "", isActive: true, isLoading: false, windowId: 0, lastUpdated: new Date(0).toISOString() };
  return {
    type: "page",
    url,
    title,
    content,
    contentFormat: format ?? contentFormatOf(content),
    privacyLevel: level,
    tabMetadata: { ...tab, url, title },
    metadata: {},
  };
}

function explanationText({ captured, level, reasons, redactions, findings }: ContextExplanation, { contentFormat }: FilterInput): string {
  const because = reasons.length === 0 ? "" : ` (${reasons.join(", ")})`;
  if (!captured) return `Not captured${because}: nothing of this page is stored.\n`;
  const lines = [`Level: ${level}${because}`];
  if (level === "restricted") lines.push("Only origin, times and the state of the tab are stored.");
  else {
    const counts = Object.entries(redactions).map(([kind, count]) => `${kind} ${count}`);
    lines.push(`Removed: ${counts.length === 0 ? "nothing" : counts.join(", ")}`);
  }
  const rows = findings.map(({ field, line, column, kind, rule }) =>
    rule === "field" ? [field, "", "", kind, rule] : [field, String(line), String(column), kind, rule],
  );
  if (rows.length > 0 && contentFormat === "html" && level === "filtered")
    lines.push("At filtered, HTML is reduced to text first; places are in that text.");
  return `${lines.join("\n")}\n${rows.length === 0 ? "" : `\n${table(["IN", "LINE", "COLUMN", "KIND", "RULE"], rows)}`}`;
}

function urlOption(text: string): string {
  if (!CaptureUrl.safeParse(text).success) throw new InvalidArgumentError("Allowed: an http, https or file URL.");
  return text;
}
