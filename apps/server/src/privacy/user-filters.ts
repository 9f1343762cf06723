import type { FilterPolicy } from "@periscope/privacy";
import type { PrivacyRules } from "@periscope/schemas";
import { createPrivacyFilter, type FailedClosed, type PrivacyFilter } from "./privacy-filter.js";
import type { RulesStore } from "./rules.store.js";

/** The filter that holds for a user, and the version of the user's rules that is in it: 0 without any. */
export interface UserFilter {
  filter: PrivacyFilter;
  rulesVersion: number;
}

/** The privacy filters of all users: the operator's policy with each one's own rules. */
export interface UserFilters {
  of(userId: string): Promise<UserFilter>;
}

export interface UserFiltersOptions {
  rules: Pick<RulesStore, "find">;
  operator: FilterPolicy;
  /** Of the server; another one may filter otherwise. */
  version: string;
  /** Told of each failure of a user's filter. */
  onFailedClosed: (failed: FailedClosed & { userId: string }) => void;
}

/** Compiled filters that are kept: one with a long deny-list takes about a megabyte. */
const keptMax = 100;

/** Throws `RangeError` when the operator's policy is not valid. */
export function createUserFilters({ rules, operator, version, onFailedClosed }: UserFiltersOptions): UserFilters {
  const shared = createPrivacyFilter(operator, version);
  const kept = new Map<string, UserFilter>();

  const filterOf = (userId: string, filter: PrivacyFilter) => filter.telling((failed) => onFailedClosed({ ...failed, userId }));

  return {
    async of(userId) {
      const stored = await rules.find(userId);
      if (!stored) return { filter: filterOf(userId, shared), rulesVersion: 0 };
      const known = kept.get(userId);
      const isCurrent = known?.rulesVersion === stored.version;
      const wanted = isCurrent
        ? known
        : { filter: filterOf(userId, createPrivacyFilter(withRules(operator, stored.rules), version)), rulesVersion: stored.version };
      kept.delete(userId);
      const [oldest] = kept.keys();
      if (kept.size >= keptMax && oldest !== undefined) kept.delete(oldest);
      kept.set(userId, wanted);
      return wanted;
    },
  };
}

/** The operator's policy with a user's own rules in it. */
function withRules(operator: FilterPolicy, { blockedSites, siteRules, denyList }: PrivacyRules): FilterPolicy {
  return { ...operator, blockedSites: [...(operator.blockedSites ?? []), ...blockedSites], siteRules, denyList };
}
