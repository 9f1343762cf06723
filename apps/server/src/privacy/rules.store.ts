import type { PrivacyRules } from "@periscope/schemas";

/** Names the rules that a user had at some time. By the version alone, those of a user who was made anew under the id would pass for them. */
export interface RulesEdition {
  /** 1 for the first rules of a user; one more with each change. */
  version: number;
  /** Milliseconds since the epoch. */
  updatedAt: number;
}

/** A user's own rules as they are stored. */
export interface StoredRules extends RulesEdition {
  rules: PrivacyRules;
}

/** Whether two are the same rules; null stands for a user without any. */
export function isSameEdition(one: RulesEdition | null, other: RulesEdition | null): boolean {
  return one?.version === other?.version && one?.updatedAt === other?.updatedAt;
}

/** Users' own privacy rules. */
export interface RulesStore {
  /** null when the user has never set any. */
  find(userId: string): Promise<StoredRules | null>;
  /** Replaces the user's rules. null when there is no such user. */
  replace(userId: string, rules: PrivacyRules, at: number): Promise<StoredRules | null>;
}
