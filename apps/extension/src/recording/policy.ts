import type { FilterPolicy, PrivacyLevel } from "@periscope/privacy";
import type { Settings, SiteRule } from "../settings/settings.js";
import { coveringSite } from "../sites/sites.js";

/** The rules of the settings as lists. The same object for the same settings, since the filter compiles each policy. */
export interface SiteRules {
  blocked: string[];
  /** Sites that are recorded when only named sites are, the longest name first. */
  recorded: string[];
  /** That of the privacy filter. Levels of sites are no part of it: there, they would lower those of banks and the like. */
  policy: FilterPolicy;
}

const made = new WeakMap<Settings, SiteRules>();

export function siteRulesOf(settings: Settings): SiteRules {
  const found = made.get(settings);
  if (found !== undefined) return found;
  const { sites } = settings;
  const blocked = sites.filter(({ rule }) => rule === "blocked").map(({ site }) => site);
  const others = sites.filter(({ rule }) => rule !== "blocked").map(({ site }) => site);
  const recorded = others.toSorted((a, b) => b.length - a.length);
  const rules = { blocked, recorded, policy: { blockedSites: blocked } };
  made.set(settings, rules);
  return rules;
}

/** The level that the person chose for a page: that of its site, or the usual one. Its category and content can raise it. */
export function levelOf(settings: Settings, url: string): PrivacyLevel {
  const site = coveringSite(siteRulesOf(settings).recorded, url);
  const rule = settings.sites.find((each) => each.site === site)?.rule;
  return rule === undefined || rule === "usual" || rule === "blocked" ? settings.level : rule;
}

/** Settings with another rule for a site; without one when there is none. */
export function withSiteRule(settings: Settings, site: string, rule: SiteRule | undefined): Settings {
  const others = settings.sites.filter((each) => each.site !== site);
  const sites = [...others, ...(rule === undefined ? [] : [{ site, rule }])].toSorted((a, b) => (a.site < b.site ? -1 : 1));
  return { ...settings, sites };
}

/** Settings in which pages of a site are kept at a level. The usual one needs no rule, unless a site around it has another. */
export function withSiteLevel(settings: Settings, site: string, level: PrivacyLevel): Settings {
  const isCovered = coveringSite(siteRulesOf(withSiteRule(settings, site, undefined)).recorded, `https://${site}/`) !== undefined;
  const usual = settings.siteMode === "only" ? "usual" : undefined;
  return withSiteRule(settings, site, level === settings.level && !isCovered ? usual : level);
}
