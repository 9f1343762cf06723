import type { PrivacyRules, StoredPrivacyRules } from "@periscope/schemas";
import { toTimestamp } from "../timestamps.js";
import type { Clock } from "../deps.js";
import { DomainError } from "../domain-error.js";
import type { RulesStore, StoredRules } from "./rules.store.js";

/** Users' own privacy rules. */
export interface RulesService {
  /** Empty rules for a user who has never set any. */
  get(userId: string): Promise<StoredPrivacyRules>;
  /** Replaces the user's rules, from the next message on. Throws `unauthorized` when the user is gone. */
  replace(userId: string, rules: PrivacyRules): Promise<StoredPrivacyRules>;
}

export function createRulesService({ store, clock }: { store: RulesStore; clock: Clock }): RulesService {
  return {
    async get(userId) {
      return present(await store.find(userId));
    },

    async replace(userId, rules) {
      const stored = await store.replace(userId, rules, clock());
      if (!stored) throw new DomainError("unauthorized", "The user whose rules these are has been deleted; use a key of another.");
      return present(stored);
    },
  };
}

function present(stored: StoredRules | null): StoredPrivacyRules {
  if (!stored) return { blockedSites: [], siteRules: [], denyList: [], updatedAt: null };
  return { ...stored.rules, updatedAt: toTimestamp(stored.updatedAt) };
}
