import type { PrivacyRules } from "@periscope/schemas";

/** Identifies one state of a user's rules. The time tells rules of a user who was deleted and created again from the older ones. */
export interface RulesVersion {
  /** 1 for the first rules of a user; one more with each change. */
  version: number;
  /** Milliseconds since the epoch. */
  updatedAt: number;
}

export interface StoredRules extends RulesVersion {
  rules: PrivacyRules;
}

/** Whether two versions are the same rules; null stands for a user without any. */
export function isSameRules(one: RulesVersion | null, other: RulesVersion | null): boolean {
  return one?.version === other?.version && one?.updatedAt === other?.updatedAt;
}

export interface RulesStore {
  /** null when the user has never set any. */
  find(userId: string): Promise<StoredRules | null>;
  /** Replaces the user's rules. null when there is no such user. */
  replace(userId: string, rules: PrivacyRules, at: number): Promise<StoredRules | null>;
}
