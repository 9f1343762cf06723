import * as z from "zod/mini";
import { limits } from "./limits.js";
import { PrivacyLevel } from "./privacy-level.js";
import { fitsUtf8 } from "./text.js";
import { Timestamp } from "./timestamp.js";

/**
 * A site: a host with everything below it, optionally with a path prefix, such as `bank.example` or `example.com/health`. The server
 * says whether it is one, and keeps it in the form in which it matches.
 */
export const Site = z.string().check(z.minLength(1), z.maxLength(limits.siteCharsMax));
export type Site = z.infer<typeof Site>;

/** The level for one site: it raises what is stored of the site, or lowers the site's category, to `private` at the lowest. */
export const SiteRule = z.object({ site: Site, level: PrivacyLevel });
export type SiteRule = z.infer<typeof SiteRule>;

const DeniedText = z.string().check(z.trim(), z.minLength(2), z.maxLength(limits.deniedCharsMax));

const lists = {
  /** Sites of which nothing is stored. */
  blockedSites: z.array(Site).check(z.maxLength(limits.privacyRulesMax)),
  siteRules: z.array(SiteRule).check(z.maxLength(limits.privacyRulesMax)),
  /** Names and addresses that are removed from level `filtered` on, as whole words, whatever their case. */
  denyList: z.array(DeniedText).check(z.maxLength(limits.privacyRulesMax)),
};

/** A user's own privacy rules. They replace those before as a whole, so every list is named: `[]` for none. */
export const PrivacyRules = z
  .object(lists)
  .check(
    z.refine(
      (rules) => fitsUtf8(JSON.stringify(rules), limits.privacyRulesBytesMax),
      `must be at most ${limits.privacyRulesBytesMax} bytes of JSON`,
    ),
  );
export type PrivacyRules = z.infer<typeof PrivacyRules>;

/** A user's own privacy rules as they are stored. */
export const StoredPrivacyRules = z.object({
  ...lists,
  /** null when the user has never set any. */
  updatedAt: z.nullable(Timestamp),
});
export type StoredPrivacyRules = z.infer<typeof StoredPrivacyRules>;

/** `GET /privacy/rules` takes no parameters. */
export const PrivacyRulesQuery = z.object({});
export type PrivacyRulesQuery = z.infer<typeof PrivacyRulesQuery>;
