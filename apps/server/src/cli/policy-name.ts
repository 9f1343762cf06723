import type { FilterPolicy } from "@periscope/privacy";
import manifest from "../../package.json" with { type: "json" };
import { createPrivacyFilter } from "../privacy/privacy-filter.js";

/** Names the operator's policy and this version: two processes that filter alike have the same name. */
export function policyName(policy: FilterPolicy): string {
  return createPrivacyFilter(policy, manifest.version).policy;
}

/** What holds for everybody, in a few words. */
export function policySummary({ minimumLevel = "public" }: FilterPolicy, file: string | null): string {
  return `minimum level ${minimumLevel}${file === null ? "" : `, policy file ${file}`}`;
}
