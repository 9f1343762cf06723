import type { Command } from "commander";
import { type Config, readConfig } from "../config/config.js";
import { printable } from "./read-text.js";
import { table } from "./table.js";
import type { Terminal } from "./terminal.js";

type Policy = Config["privacyPolicy"];
type Field = keyof Policy;

/** The setting that has a part of the policy on its own, beside the file. */
const settingOf: Partial<Record<Field, string>> = {
  minimumLevel: "PRIVACY_MINIMUM_LEVEL",
  blockedSites: "BLOCKED_SITES",
  detectorsOff: "DETECTORS_OFF",
  detectorsOn: "DETECTORS_ON",
};

/** `periscope privacy policy`. */
export function addPrivacyPolicyCommand(privacy: Command, terminal: Terminal): void {
  privacy
    .command("policy")
    .description("show the operator's privacy policy, and which settings it comes from")
    .option("--json", "print one JSON object")
    .action(({ json }: { json?: true }) => {
      const { privacyPolicy: policy, privacyPolicyFile: file } = readConfig(terminal.env);
      const sources = sourcesOf(policy, terminal.env);
      if (json) return terminal.out(`${JSON.stringify({ policy, file, sources })}\n`);
      const rows = rowsOf(policy).map(([field, name, value]) => [name, value, (sources[field] ?? []).join(", ") || "default"]);
      terminal.out(`${file === null ? "" : `Policy file: ${file}\n\n`}${table(["RULE", "VALUE", "FROM"], rows)}`);
    });
}

/** Of each part of the policy, the settings that say something of it. */
function sourcesOf(policy: Policy, env: Terminal["env"]): Partial<Record<Field, string[]>> {
  const alone = (name: string) => readConfig({ [name]: env[name] }).privacyPolicy;
  const none = readConfig({}).privacyPolicy;
  return Object.fromEntries(
    (Object.keys(policy) as Field[]).map((field) => {
      const names = [settingOf[field], "PRIVACY_POLICY_FILE"].filter((name) => name !== undefined);
      return [field, names.filter((name) => JSON.stringify(alone(name)[field]) !== JSON.stringify(none[field]))];
    }),
  );
}

function rowsOf({ minimumLevel, blockedSites, categories, detectorsOff, detectorsOn, patterns }: Policy): Array<[Field, string, string]> {
  const rows: Array<[Field, string, string]> = [["minimumLevel", "minimum level", minimumLevel ?? "public"]];
  for (const site of blockedSites ?? []) rows.push(["blockedSites", "blocked site", site]);
  for (const [name, { level, sites }] of Object.entries(categories ?? {}))
    rows.push(["categories", `category ${name}`, `${level}: ${sites.join(" ")}`]);
  for (const kind of detectorsOff ?? []) rows.push(["detectorsOff", "detector off", kind]);
  for (const kind of detectorsOn ?? []) rows.push(["detectorsOn", "detector on", kind]);
  for (const { kind, pattern, from = "filtered" } of patterns ?? [])
    rows.push(["patterns", `pattern ${kind}`, `${printable(pattern)} from ${from}`]);
  return rows;
}
