import type { StoredPrivacyRules } from "@periscope/schemas";
import type { Command } from "commander";
import { type ConfigFlags, readConfig } from "../config/config.js";
import { firstOf, toDetails } from "../contexts/issues.js";
import { useIssueText } from "../http/issue-text.js";
import { PrivacyRulesBody } from "../privacy/rules-body.js";
import { createRulesService, type RulesService } from "../privacy/rules.service.js";
import { openStorage } from "../storage/open-storage.js";
import { requireDatabase, requireUser, withDatabaseOptions } from "./database-options.js";
import { UsageError } from "./failure.js";
import { userIdOption } from "./option-values.js";
import { printable, readText } from "./read-text.js";
import { table } from "./table.js";
import { commandName, shellWord, type Terminal } from "./terminal.js";

interface RulesFlags extends ConfigFlags {
  set?: string;
  clear?: true;
  json?: true;
}

/** `periscope privacy rules`. */
export function addPrivacyRulesCommand(privacy: Command, terminal: Terminal): void {
  withDatabaseOptions(privacy.command("rules").description("show or replace a user's own privacy rules"))
    .argument("<userId>", "whose rules", userIdOption)
    .option("--set <file>", "replace them by those of a JSON file, as PUT /privacy/rules takes them; - for standard input")
    .option("--clear", "remove all of them")
    .option("--json", "print one JSON object")
    .action((userId: string, flags: RulesFlags) => showRules(terminal, userId, flags));
}

async function showRules(terminal: Terminal, userId: string, flags: RulesFlags): Promise<void> {
  if (flags.set !== undefined && flags.clear) throw new UsageError("--set and --clear exclude each other: give one of them.");
  const given = flags.set === undefined ? undefined : readRules(await readText(flags.set, terminal), flags.set);
  const wanted = flags.clear ? { blockedSites: [], siteRules: [], denyList: [] } : given;
  const rules = await withRules(terminal, { userId, flags }, (service) => (wanted ? service.replace(userId, wanted) : service.get(userId)));
  if (flags.json) return terminal.out(`${JSON.stringify(rules)}\n`);
  terminal.out(rulesText(userId, rules));
  if (wanted)
    terminal.out(`
They hold from the next message on. To bring in line what is stored already:
  ${commandName(terminal.env)} privacy apply --user ${shellWord(userId)}
`);
}

/** Runs `work` over the rules in the configured database. Throws `not_found` without a database, and for a user whom it does not have. */
export async function withRules<T>(
  terminal: Terminal,
  { userId, flags }: { userId: string; flags: ConfigFlags },
  work: (service: RulesService) => Promise<T>,
): Promise<T> {
  const { databaseUrl, searchTimeoutMs } = readConfig(terminal.env, flags);
  requireDatabase(databaseUrl);
  await using storage = await openStorage({ databaseUrl, searchTimeoutMs });
  await requireUser(terminal, storage.access, userId);
  return await work(createRulesService({ store: storage.rules, clock: Date.now }));
}

function readRules(text: string, path: string) {
  let json: unknown;
  try {
    json = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    throw new UsageError(`${path} is not JSON; nothing was changed.`);
  }
  useIssueText();
  const { data, error } = PrivacyRulesBody.safeParse(json);
  if (error) throw new UsageError(`${path}: ${firstOf(toDetails(error.issues))}; nothing was changed.`);
  return data;
}

function rulesText(userId: string, { blockedSites, siteRules, denyList, updatedAt }: StoredPrivacyRules): string {
  const rows = [
    ...blockedSites.map((site) => ["blocked", site, ""]),
    ...siteRules.map(({ site, level }) => ["level", site, level]),
    ...denyList.map((text) => ["hidden", printable(text), ""]),
  ];
  const since = updatedAt === null ? "" : `, of ${updatedAt}`;
  if (rows.length === 0) return `User ${userId} has no privacy rules${since}.\n`;
  return `Privacy rules of user ${userId}${since}:\n${table(["RULE", "SITE OR TEXT", "LEVEL"], rows)}`;
}
