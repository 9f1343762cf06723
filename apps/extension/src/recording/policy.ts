import type { FilterPolicy, PrivacyLevel } from "@periscope/privacy";
import type { Settings } from "../settings/settings.js";
import { coveringSite } from "../sites/site-list.js";

const policies = new WeakMap<Settings, FilterPolicy>();

/** The policy of the filter under settings: the same object for the same settings, since the filter compiles each. */
export function policyOf(settings: Settings): FilterPolicy {
  const made = policies.get(settings) ?? {
    ...(settings.siteMode === "all-but" && { blockedSites: settings.blockedSites }),
    siteRules: settings.siteLevels,
  };
  policies.set(settings, made);
  return made;
}

const leveled = new WeakMap<Settings, string[]>();

/** The level that a page is recorded at, before its category and what is on it raise that: its site's own, the longest name first, or the usual one. */
export function levelOf(settings: Settings, url: string): PrivacyLevel {
  const { level, siteLevels } = settings;
  const sites = leveled.get(settings) ?? siteLevels.map(({ site }) => site).toSorted((a, b) => b.length - a.length);
  leveled.set(settings, sites);
  const site = coveringSite(sites, url);
  return siteLevels.find((rule) => rule.site === site)?.level ?? level;
}
