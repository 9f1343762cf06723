import type { FilterPolicy } from "@periscope/privacy";
import type { PrivacyRules } from "@periscope/schemas";
import { createPrivacyFilter, type FailedClosed, type PrivacyFilter } from "./privacy-filter.js";
import { isSameRules, type RulesStore, type RulesVersion, type StoredRules } from "./rules.store.js";

export interface UserFilter {
  filter: PrivacyFilter;
  /** null without any. */
  rulesVersion: RulesVersion | null;
}

/** The privacy filters of all users: the operator's policy with each one's own rules. */
export type UserFilters = ReturnType<typeof createUserFilters>;

export interface UserFiltersOptions {
  rules: Pick<RulesStore, "find">;
  operator: FilterPolicy;
  /** Of the server; another version may filter differently. */
  version: string;
  /** Called for each failure of a user's filter. */
  onFailedClosed: (failed: FailedClosed & { userId: string }) => void;
}

/** Bounds of the cache: compiled filters, and characters in their deny-lists, each of which takes 128 bytes. */
const keptMax = 500;
const keptCharsMax = 262_144;

interface Kept extends UserFilter {
  chars: number;
}

/** Throws `RangeError` when the operator's policy is not valid. */
export function createUserFilters({ rules, operator, version, onFailedClosed }: UserFiltersOptions) {
  const shared = createPrivacyFilter(operator, version);
  const kept = new Map<string, Kept>();
  let keptChars = 0;

  const filterOf = (userId: string, filter: PrivacyFilter) => filter.withFailureListener((failed) => onFailedClosed({ ...failed, userId }));

  return {
    async of(userId: string): Promise<UserFilter> {
      const stored = await rules.find(userId);
      if (!stored) return { filter: filterOf(userId, shared), rulesVersion: null };
      const known = kept.get(userId);
      const wanted = known && isSameRules(known.rulesVersion, stored) ? known : compiled(userId, stored);
      forget(userId);
      // The one that was used longest ago goes first.
      for (const [oldest] of kept) {
        if (kept.size < keptMax && keptChars + wanted.chars <= keptCharsMax) break;
        forget(oldest);
      }
      kept.set(userId, wanted);
      keptChars += wanted.chars;
      return wanted;
    },
  };

  function compiled(userId: string, { rules, ...rulesVersion }: StoredRules): Kept {
    const filter = filterOf(userId, createPrivacyFilter(userPolicy(operator, rules), version));
    const chars = rules.denyList.reduce((sum, entry) => sum + entry.length, 0);
    return { filter, rulesVersion, chars };
  }

  function forget(userId: string): void {
    keptChars -= kept.get(userId)?.chars ?? 0;
    kept.delete(userId);
  }
}

export function userPolicy(operator: FilterPolicy, { blockedSites, siteRules, denyList }: PrivacyRules): FilterPolicy {
  return { ...operator, blockedSites: [...(operator.blockedSites ?? []), ...blockedSites], siteRules, denyList };
}
