import type { UserRules } from "../core/privacy.js";
import type { Store } from "../core/store.js";
import { type SiteTest, siteTest } from "./site-pattern.js";

/** Rules that change nothing. */
const noRules: UserRules = { blockedSites: [], siteRules: [], denyList: [] };

const key = "rules";

/** Where the rules of the user are kept or come from. */
export interface RulesHandle {
  /** The rules that hold now. */
  get(): Promise<UserRules>;
  /**
   * Replaces the lists that are given; they hold from the next message on, also after a restart.
   * @throws TypeError for a site that is none, RangeError for one that the filter does not take, Error when the rules come from the option `rules`
   */
  set(rules: Partial<UserRules>): Promise<UserRules>;
}

/** What the handle is made with. */
interface Kept {
  store: Store;
  source: (() => Promise<Partial<UserRules>> | Partial<UserRules>) | undefined;
  /** Throws for rules that the filter cannot work with. */
  tryOut: (rules: UserRules) => Promise<void>;
}

/** Rules that live in the store beside the messages, or are asked for each time from `source`. */
export function rulesHandle({ store, source, tryOut }: Kept): RulesHandle {
  let kept: UserRules | undefined;
  const handle: RulesHandle = {
    async get() {
      if (source !== undefined) {
        const rules = { ...noRules, ...(await source()) };
        // The same object for the same rules: patterns are compiled once.
        if (JSON.stringify(rules) !== JSON.stringify(kept)) kept = checked(rules);
        return kept as UserRules;
      }
      kept ??= checked({ ...noRules, ...((await store.read((tx) => tx.get("state", key))) as Partial<UserRules> | undefined) });
      return kept;
    },
    async set(rules) {
      if (source !== undefined) throw new Error("The rules come from the option `rules`: change them where that one reads them.");
      await tryOut(checked({ ...(await handle.get().catch(() => noRules)), ...rules }));
      const next = await store.write(async (tx) => {
        const before = (await tx.get("state", key)) as Partial<UserRules> | undefined;
        const merged = checked({ ...noRules, ...before, ...rules });
        await tx.put("state", merged, key);
        return merged;
      });
      kept = next;
      return next;
    },
  };
  return handle;
}

/** The rules, when every part of them is what it must be: one that cannot be read must not let anything through. */
function checked(rules: UserRules): UserRules {
  sitesOf(rules);
  if (![rules.siteRules, rules.denyList].every(Array.isArray)) throw new TypeError("The lists of the rules are not lists.");
  return rules;
}

interface Sites {
  blocked: readonly SiteTest[];
  allowed: readonly SiteTest[] | undefined;
}

const compiled = new WeakMap<UserRules, Sites>();

function sitesOf(rules: UserRules): Sites {
  const found = compiled.get(rules);
  if (found !== undefined) return found;
  const sites = { blocked: rules.blockedSites.map(siteTest), allowed: rules.allowedSites?.map(siteTest) };
  compiled.set(rules, sites);
  return sites;
}

/** The rule that keeps something of these addresses from being stored; undefined when there is none. */
export function blockOf(rules: UserRules, addresses: readonly string[]): "blocked-site" | "not-allowed" | undefined {
  const { blocked, allowed } = sitesOf(rules);
  const urls = addresses.map((address) => new URL(address));
  if (urls.some((url) => blocked.some((test) => test(url)))) return "blocked-site";
  if (allowed !== undefined && !urls.every((url) => allowed.some((test) => test(url)))) return "not-allowed";
  return undefined;
}
