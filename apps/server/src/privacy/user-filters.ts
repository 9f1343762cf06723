import type { FilterPolicy } from "@periscope/privacy";
import type { PrivacyRules } from "@periscope/schemas";
import { createPrivacyFilter, type FailedClosed, type PrivacyFilter } from "./privacy-filter.js";
import type { RulesStore, StoredRules } from "./rules.store.js";

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

/** Compiled filters that are kept, and characters in their deny-lists: each takes 128 bytes. */
const keptMax = 500;
const keptCharsMax = 262_144;

interface Kept extends UserFilter {
  /** With the version it names the rules: a user of the same id may be made anew. */
  updatedAt: number;
  chars: number;
}

/** Throws `RangeError` when the operator's policy is not valid. */
export function createUserFilters({ rules, operator, version, onFailedClosed }: UserFiltersOptions): UserFilters {
  const shared = createPrivacyFilter(operator, version);
  const kept = new Map<string, Kept>();
  let keptChars = 0;

  const filterOf = (userId: string, filter: PrivacyFilter) => filter.telling((failed) => onFailedClosed({ ...failed, userId }));

  return {
    async of(userId) {
      const stored = await rules.find(userId);
      if (!stored) return { filter: filterOf(userId, shared), rulesVersion: 0 };
      const known = kept.get(userId);
      const isCurrent = known?.rulesVersion === stored.version && known.updatedAt === stored.updatedAt;
      const wanted = isCurrent ? known : compiled(userId, stored);
      forget(userId);
      // The one that was wanted longest ago goes first.
      for (const [oldest] of kept) {
        if (kept.size < keptMax && keptChars + wanted.chars <= keptCharsMax) break;
        forget(oldest);
      }
      kept.set(userId, wanted);
      keptChars += wanted.chars;
      return wanted;
    },
  };

  function compiled(userId: string, { rules, version: rulesVersion, updatedAt }: StoredRules): Kept {
    const filter = filterOf(userId, createPrivacyFilter(userPolicy(operator, rules), version));
    return { filter, rulesVersion, updatedAt, chars: rules.denyList.reduce((sum, entry) => sum + entry.length, 0) };
  }

  function forget(userId: string): void {
    keptChars -= kept.get(userId)?.chars ?? 0;
    kept.delete(userId);
  }
}

/** The operator's policy with a user's own rules in it. */
export function userPolicy(operator: FilterPolicy, { blockedSites, siteRules, denyList }: PrivacyRules): FilterPolicy {
  return { ...operator, blockedSites: [...(operator.blockedSites ?? []), ...blockedSites], siteRules, denyList };
}
