import type { PrivacyRules } from "@periscope/schemas";

/** A user's own rules as they are stored. */
export interface StoredRules {
  /** 1 for the first rules of a user; one more with each change. */
  version: number;
  rules: PrivacyRules;
  /** Milliseconds since the epoch. */
  updatedAt: number;
}

/** Users' own privacy rules. */
export interface RulesStore {
  /** null when the user has never set any. */
  find(userId: string): Promise<StoredRules | null>;
  /** Replaces the user's rules. null when there is no such user. */
  replace(userId: string, rules: PrivacyRules, at: number): Promise<StoredRules | null>;
}
