import { requireText } from "./arguments.js";
import { defaultPolicy } from "./compiled-policy.js";
import { passwordManagers, siteCategories } from "./data/site-categories.js";
import { maxLevel, type PrivacyLevel } from "./levels.js";
import type { FilterPolicy } from "./policy.js";
import { ipv4Of } from "./sites/site.js";
import { shapeCategories } from "./sites/heuristics.js";
import { indexSites, type Location, matchSites, type SiteIndex } from "./sites/site-match.js";
import { splitUrl } from "./url/split-url.js";

/** What a URL alone says about a page. */
export interface Classification {
  /** The minimum level from its categories and the user's rules; `undefined` when neither says anything. */
  level: PrivacyLevel | undefined;
  /** E.g. `banking`, `webmail`, `intranet`. */
  categories: string[];
  /** `false`: nothing of the page may be sent or stored. */
  captured: boolean;
  /** Why: `browser-page`, `blocked-site`, `category:banking`, `user:site-rule`, `user:lowered`. */
  reasons: string[];
}

interface Known {
  readonly category: string;
  readonly level: PrivacyLevel;
  /** Named in the operator's policy: the user cannot lower it. */
  readonly isOperators?: boolean;
}

interface SiteTables {
  readonly own: SiteIndex<Known>;
  readonly blocked: SiteIndex<true>;
  readonly rules: SiteIndex<PrivacyLevel>;
}

const builtIn = indexSites<Known>(
  Object.entries(siteCategories).flatMap(([category, { level, sites }]) => sites.map((site) => [site, { category, level }] as const)),
);
const tables = new WeakMap<FilterPolicy, SiteTables>();

/**
 * Classifies a page by its URL. Pages of browsers and extensions (any scheme but `http`, `https`, `file`), of password
 * managers and of blocked sites are not captured. A user's own rule raises a level, or lowers a category to
 * `private` at the lowest; the operator's categories are never lowered. The policy's `minimumLevel` plays no part, and the policy is not checked:
 * {@link filterContext} does both. Never throws for a URL; throws `TypeError` for anything but a string.
 */
export function classify(url: string, options: { policy?: FilterPolicy } = {}): Classification {
  requireText(url, "classify");
  const policy = options.policy ?? defaultPolicy;
  const address = url.trim();
  // As a browser would open it: no spelling of a host (`b%61nk.example`, `bank.example\\`) hides a site.
  const { scheme, host = "", path } = splitUrl(URL.canParse(address) ? new URL(address).href : address);
  if (!/^(?:https?|file):$/i.test(scheme)) return { level: undefined, categories: [], captured: false, reasons: ["browser-page"] };
  const location: Location = { host: ipv4Of(host.toLowerCase().replace(/\.?(?::[0-9]{0,5})?$/, "")), path };
  const { own, blocked, rules } = siteTables(policy);
  if (matchSites(blocked, location).length > 0) return { level: undefined, categories: [], captured: false, reasons: ["blocked-site"] };
  const known: Known[] = [...matchSites(builtIn, location), ...matchSites(own, location), ...shapeCategories(location)];
  if (/^file:$/i.test(scheme)) known.push({ category: "file", level: "private" });
  const categories = [...new Set(known.map(({ category }) => category))];
  if (known.some(({ category, isOperators }) => category === passwordManagers && isOperators !== true))
    return { level: undefined, categories, captured: false, reasons: [`category:${passwordManagers}`] };
  const reasons = categories.map((category) => `category:${category}`);
  const level = highest(known);
  const [rule] = matchSites(rules, location);
  if (rule === undefined) return { level, categories, captured: true, reasons };
  const kept = highest(known.filter(({ isOperators }) => isOperators === true));
  const asked = level === undefined ? rule : maxLevel(maxLevel(rule, "private"), kept ?? "private");
  reasons.push(level !== undefined && maxLevel(level, asked) !== asked ? "user:lowered" : "user:site-rule");
  return { level: asked, categories, captured: true, reasons };
}

function highest(known: readonly Known[]): PrivacyLevel | undefined {
  return known.reduce<PrivacyLevel | undefined>(
    (level, next) => (level === undefined ? next.level : maxLevel(level, next.level)),
    undefined,
  );
}

function siteTables(policy: FilterPolicy): SiteTables {
  const ready = tables.get(policy);
  if (ready !== undefined) return ready;
  const own = Object.entries(policy.categories ?? {}).flatMap(([category, { level, sites }]) =>
    sites.map((site) => [site, { category, level, isOperators: true }] as const),
  );
  const made: SiteTables = {
    own: indexSites<Known>(own),
    blocked: indexSites((policy.blockedSites ?? []).map((site) => [site, true] as const)),
    rules: indexSites((policy.siteRules ?? []).map(({ site, level }) => [site, level] as const)),
  };
  tables.set(policy, made);
  return made;
}
