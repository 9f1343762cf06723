import * as z from "zod/mini";
import { limits } from "./limits.js";
import { PrivacyLevel } from "./privacy-level.js";

/** A site: a host with everything below it, optionally with a path prefix, such as `bank.example` or `example.com/health`. */
export const Site = z
  .string()
  .check(z.maxLength(limits.siteCharsMax), z.refine(isSite, "must be a host, with a path if need be, such as example.com/health"));
export type Site = z.infer<typeof Site>;

/** The level for one site: it raises what is stored of the site, or lowers the site's category, to `private` at the lowest. */
export const SiteRule = z.object({ site: Site, level: PrivacyLevel });
export type SiteRule = z.infer<typeof SiteRule>;

const DeniedText = z.string().check(z.trim(), z.minLength(2), z.maxLength(limits.deniedCharsMax));

/** A user's own privacy rules; what is left out is empty. */
export const PrivacyRules = z.object({
  /** Sites of which nothing is stored. */
  blockedSites: z._default(z.array(Site).check(z.maxLength(limits.privacyRulesMax)), []),
  siteRules: z._default(z.array(SiteRule).check(z.maxLength(limits.privacyRulesMax)), []),
  /** Names and addresses that are removed from level `filtered` on, as whole words, whatever their case. */
  denyList: z._default(z.array(DeniedText).check(z.maxLength(limits.privacyRulesMax)), []),
});
export type PrivacyRules = z.infer<typeof PrivacyRules>;

function isSite(text: string): boolean {
  const [, host = ""] = /^([^\s/?#@:\\]+)(?:\/[^\s?#]*)?$/.exec(text) ?? [];
  return host !== "" && !host.startsWith(".") && URL.canParse(`http://${host}`);
}
