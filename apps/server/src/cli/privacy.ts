import { type ContextExplanation, explainContext, type FilterInput, type FilterPolicy, type PrivacyLevel } from "@periscope/privacy";
import { CaptureUrl, ContentFormat, contentFormatOf, PrivacyLevel as Level, type StoredPrivacyRules } from "@periscope/schemas";
import { type Command, InvalidArgumentError, Option } from "commander";
import manifest from "../../package.json" with { type: "json" };
import { type Config, type ConfigFlags, readConfig } from "../config/config.js";
import { firstOf, toDetails, installZodMessages } from "../contexts/issues.js";
import type { Deps } from "../deps.js";
import { createPrivacyFilter } from "../privacy/privacy-filter.js";
import { getRules, PrivacyRulesBody, replaceRules } from "../privacy/rules.service.js";
import { userPolicy } from "../privacy/user-filters.js";
import { prepareData, requireUser, userIdOption, withDatabaseOptions } from "./database.js";
import { UsageError } from "./failure.js";
import { commandName, printable, readText, shellWord, table, type Terminal } from "./terminal.js";
import { addPrivacyApplyCommand } from "./privacy-apply.js";

export function addPrivacyCommand(program: Command, terminal: Terminal): void {
  const privacy = program.command("privacy").description("what is removed from contexts before they are stored");
  privacy
    .command("policy")
    .description("show the operator's privacy policy, and which settings it comes from")
    .option("--json", "print one JSON object")
    .action(({ json }: { json?: true }) => showPolicy(terminal, json === true));

  withDatabaseOptions(privacy.command("rules").description("show or replace a user's own privacy rules"))
    .argument("<userId>", "whose rules", userIdOption)
    .option("--set <file>", "replace the rules with those of a JSON file, in the format of PUT /privacy/rules; - reads standard input")
    .option("--clear", "remove all rules")
    .option("--json", "print one JSON object")
    .action((userId: string, flags: RulesFlags) => showRules(terminal, userId, flags));

  withDatabaseOptions(privacy.command("explain").description("show what the filter would remove from a page; stores nothing"))
    .argument("[file]", "content of the page; standard input by default", "-")
    .option("--url <url>", "address of the page", urlOption, "https://page.invalid/")
    .option("--title <text>", "title of the page", "")
    .addOption(new Option("--format <format>", "format of the content; detected as in a sync by default").choices(ContentFormat.options))
    .addOption(new Option("--level <level>", "privacy level to ask for").choices(Level.options).default("private"))
    .option("--user <id>", "also apply this user's own rules", userIdOption)
    .option("--json", "print one JSON object")
    .addHelpText("after", "\nPrints kind, rule and place of each finding, never its value. Uses the privacy settings of the server.")
    .action((file: string, flags: ExplainFlags) => explainPage(terminal, file, flags));

  addPrivacyApplyCommand(privacy, terminal);
}

/** Names the operator's policy and this version: processes with the same name filter alike. */
export function policyName(policy: FilterPolicy): string {
  return createPrivacyFilter(policy, manifest.version).policyId;
}

type Policy = Config["privacyPolicy"];
type Field = keyof Policy;

/** The setting of a part of the policy, beside the file. */
const settingOf: Partial<Record<Field, string>> = {
  minimumLevel: "PRIVACY_MINIMUM_LEVEL",
  blockedSites: "BLOCKED_SITES",
  detectorsOff: "DETECTORS_OFF",
  detectorsOn: "DETECTORS_ON",
};

function showPolicy(terminal: Terminal, json: boolean): void {
  const { privacyPolicy: policy, privacyPolicyFile: file } = readConfig(terminal.env);
  const sources = policySources(policy, terminal.env);
  if (json) return terminal.out(`${JSON.stringify({ policy, file, sources })}\n`);
  const rows = policyRows(policy).map(([field, name, value]) => [name, value, (sources[field] ?? []).join(", ") || "default"]);
  terminal.out(`${file === null ? "" : `Policy file: ${file}\n\n`}${table(["RULE", "VALUE", "FROM"], rows)}`);
}

/** For each part of the policy, the settings that contribute to it. */
function policySources(policy: Policy, env: Terminal["env"]): Partial<Record<Field, string[]>> {
  const alone = (name: string) => readConfig({ [name]: env[name] }).privacyPolicy;
  const none = readConfig({}).privacyPolicy;
  return Object.fromEntries(
    (Object.keys(policy) as Field[]).map((field) => {
      const names = [settingOf[field], "PRIVACY_POLICY_FILE"].filter((name) => name !== undefined);
      return [field, names.filter((name) => JSON.stringify(alone(name)[field]) !== JSON.stringify(none[field]))];
    }),
  );
}

function policyRows(policy: Policy): Array<[Field, string, string]> {
  const { minimumLevel = "public", blockedSites = [], categories = {}, detectorsOff = [], detectorsOn = [], patterns = [] } = policy;
  const rows: Array<[Field, string, string]> = [["minimumLevel", "minimum level", minimumLevel]];
  for (const site of blockedSites) rows.push(["blockedSites", "blocked site", site]);
  for (const [name, { level, sites }] of Object.entries(categories))
    rows.push(["categories", `category ${name}`, `${level}: ${sites.join(" ")}`]);
  for (const kind of detectorsOff) rows.push(["detectorsOff", "detector off", kind]);
  for (const kind of detectorsOn) rows.push(["detectorsOn", "detector on", kind]);
  for (const { kind, pattern, from = "filtered" } of patterns)
    rows.push(["patterns", `pattern ${kind}`, `${printable(pattern)} from ${from}`]);
  return rows;
}

interface RulesFlags extends ConfigFlags {
  set?: string;
  clear?: true;
  json?: true;
}

async function showRules(terminal: Terminal, userId: string, flags: RulesFlags): Promise<void> {
  if (flags.set !== undefined && flags.clear) throw new UsageError("Give either --set or --clear, not both.");
  const given = flags.set === undefined ? undefined : parseRules(await readText(flags.set, terminal), flags.set);
  const wanted = flags.clear ? { blockedSites: [], siteRules: [], denyList: [] } : given;
  const rules = await withRules(terminal, { userId, flags }, (deps) =>
    wanted ? replaceRules(deps, userId, wanted) : getRules(deps, userId),
  );
  if (flags.json) return terminal.out(`${JSON.stringify(rules)}\n`);
  terminal.out(rulesText(userId, rules));
  if (wanted)
    terminal.out(`
They apply from the next message on. To apply them to stored contexts, too:
  ${commandName(terminal.env)} privacy apply --user ${shellWord(userId)}
`);
}

/** Runs `work` on the rules in the configured database. Throws `not_found` without a database, and for an unknown user. */
async function withRules<T>(
  terminal: Terminal,
  { userId, flags }: { userId: string; flags: ConfigFlags },
  work: (deps: Pick<Deps, "stores" | "clock">) => Promise<T>,
): Promise<T> {
  const { config, engine } = prepareData(terminal.env, flags, { creates: false });
  await using storage = await engine.open(config);
  await requireUser(terminal, storage.access, userId);
  return await work({ stores: storage, clock: Date.now });
}

function parseRules(text: string, path: string) {
  let json: unknown;
  try {
    json = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    throw new UsageError(`${path} is not JSON. Nothing was changed.`);
  }
  installZodMessages();
  const { data, error } = PrivacyRulesBody.safeParse(json);
  if (error) throw new UsageError(`${path}: ${firstOf(toDetails(error.issues))}. Nothing was changed.`);
  return data;
}

function rulesText(userId: string, { blockedSites, siteRules, denyList, updatedAt }: StoredPrivacyRules): string {
  const rows = [
    ...blockedSites.map((site) => ["blocked", site, ""]),
    ...siteRules.map(({ site, level }) => ["level", site, level]),
    ...denyList.map((text) => ["hidden", printable(text), ""]),
  ];
  const since = updatedAt === null ? "" : ` since ${updatedAt}`;
  if (rows.length === 0) return `User ${userId} has no privacy rules${since}.\n`;
  return `Privacy rules of user ${userId}${since}:\n${table(["RULE", "SITE OR TEXT", "LEVEL"], rows)}`;
}

interface ExplainFlags extends ConfigFlags {
  url: string;
  title: string;
  format?: ContentFormat;
  level: PrivacyLevel;
  user?: string;
  json?: true;
}

async function explainPage(terminal: Terminal, file: string, flags: ExplainFlags): Promise<void> {
  const { privacyPolicy } = readConfig(terminal.env, flags);
  const { user: userId, url, title, format, level } = flags;
  const policy =
    userId === undefined
      ? privacyPolicy
      : userPolicy(privacyPolicy, await withRules(terminal, { userId, flags }, (deps) => getRules(deps, userId)));
  const content = await readText(file, terminal);
  const tab = { id: "", isActive: true, isLoading: false, windowId: 0, lastUpdated: new Date(0).toISOString() };
  const input: FilterInput = {
    type: "page",
    url,
    title,
    content,
    contentFormat: format ?? contentFormatOf(content),
    privacyLevel: level,
    tabMetadata: { ...tab, url, title },
    metadata: {},
  };
  const explanation = explainContext(input, policy);
  terminal.out(flags.json ? `${JSON.stringify(explanation)}\n` : explanationText(explanation, input));
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
    lines.push("At level filtered, HTML is reduced to text first. Lines and columns are those of the text.");
  return `${lines.join("\n")}\n${rows.length === 0 ? "" : `\n${table(["IN", "LINE", "COLUMN", "KIND", "RULE"], rows)}`}`;
}

function urlOption(text: string): string {
  if (!CaptureUrl.safeParse(text).success) throw new InvalidArgumentError("Allowed: an http, https or file URL.");
  return text;
}
