import type { FieldFinding, PrivacyLevel, SiteRule } from "@periscope/privacy";
import type { FilterVerdict } from "./message-filter.js";
import type { NewMessage } from "./message.js";

/** What a user decided about sites; the service's own rules (`/privacy/rules`) have the same lists. They can change at any time. */
export interface UserRules {
  /**
   * Nothing of these is stored or sent: a host with all below it (`bank.example`), perhaps with a path (`example.com/health`), or an origin
   * (`https://*.example.com`, `http://localhost:8080`). Wins over `allowedSites`.
   */
  blockedSites: readonly string[];
  /** When it is given, nothing of any other site is stored or sent; written as `blockedSites`. */
  allowedSites?: readonly string[];
  /** The level for a host with all below it, perhaps with a path. One that is lower than the site's category lowers it, to `private` at the lowest. */
  siteRules: readonly SiteRule[];
  /** The user's own names and addresses, removed from `filtered` on. */
  denyList: readonly string[];
}

/** What would be kept of a message, and why not more. Holds no value that was removed. */
export type Explanation =
  | {
      captured: true;
      /** As it would be stored and sent. */
      message: NewMessage;
      /** The effective level; absent for messages that have none. */
      level?: PrivacyLevel;
      /** Why the level is what it is, such as `category:banking`. */
      reasons: readonly string[];
      /** What was removed, as counts per kind. */
      redactions: Readonly<Record<string, number>>;
      /** Where it was, and by which rule. */
      findings: readonly FieldFinding[];
    }
  | { captured: false; rule: string; reasons: readonly string[] };

/** Decides what may be stored of a message under a user's rules, and says why. Made by `definePrivacy`. */
export interface Privacy {
  /** Called for each message before anything of it is stored. When it throws, the message is blocked. */
  filter(message: NewMessage, rules: UserRules): FilterVerdict | Promise<FilterVerdict>;
  /** A dry run. */
  explain(message: NewMessage, rules: UserRules): Explanation | Promise<Explanation>;
}
