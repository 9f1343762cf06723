import { maxLevel, type PrivacyLevel } from "@periscope/privacy";
import type { OperatorPolicy } from "./policy-file.js";

/** What is set of the policy by settings of their own. */
export interface PolicySettings {
  minimumLevel: PrivacyLevel;
  blockedSites: readonly string[];
  detectorsOff: readonly string[];
  detectorsOn: readonly string[];
}

/** The policy of file and settings together: the higher level, all sites, all kinds. */
export function combinePolicy(file: OperatorPolicy, settings: PolicySettings): Required<OperatorPolicy> {
  const both = (a: readonly string[] = [], b: readonly string[]) => [...new Set([...a, ...b])];
  return {
    minimumLevel: maxLevel(file.minimumLevel ?? "public", settings.minimumLevel),
    blockedSites: both(file.blockedSites, settings.blockedSites),
    categories: file.categories ?? {},
    detectorsOff: both(file.detectorsOff, settings.detectorsOff),
    detectorsOn: both(file.detectorsOn, settings.detectorsOn),
    patterns: file.patterns ?? [],
  };
}

/** Kinds that a policy both looks for everywhere and not at all. */
export function contradictions({ detectorsOff = [], detectorsOn = [] }: OperatorPolicy): string[] {
  return detectorsOff.filter((kind) => detectorsOn.includes(kind));
}
