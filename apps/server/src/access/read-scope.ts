import type { PrivacyLevel } from "@periscope/schemas";

/** What bounds every read: the user whose contexts are meant, and the highest level the key may see. */
export interface ReadScope {
  userId: string;
  maxPrivacyLevel: PrivacyLevel;
}
