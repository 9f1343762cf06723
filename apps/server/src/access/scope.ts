import { type PrivacyLevel, Scope } from "@periscope/schemas";

export { Scope };

/** Every scope a key can have. */
export const allScopes: readonly Scope[] = Scope.options;

/** Bounds every read: the user whose contexts are meant, and the highest privacy level the key may see. */
export interface ReadScope {
  userId: string;
  maxPrivacyLevel: PrivacyLevel;
}
