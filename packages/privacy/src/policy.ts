import type { PrivacyLevel } from "./levels.js";

/** A level for one site: a host and everything below it, optionally with a path prefix (`example.com/health`). */
export interface SiteRule {
  site: string;
  level: PrivacyLevel;
}

/** A value of the operator's own to be removed from `filtered` on, or at every level. */
export interface CustomPattern {
  /** Kind in counts and placeholders: `^[a-z][a-z0-9_]{0,31}$`. */
  kind: string;
  /** A regular expression, with the flag `u`. It is not checked for the time it takes: write bounded repetitions. */
  pattern: string;
  /** Level from which it works. Default `filtered`. */
  from?: PrivacyLevel;
}

/** Rules of the operator and of the user. All optional: `{}` is the default policy. */
export interface FilterPolicy {
  /** The operator's minimum: no context is stored at a lower level. */
  minimumLevel?: PrivacyLevel;
  /** Sites of which nothing is captured. */
  blockedSites?: readonly string[];
  /** The user's own rules. One that is lower than the site's category lowers it, but to `private` at the lowest. */
  siteRules?: readonly SiteRule[];
  /** The user's own names and addresses, removed from `filtered` on, without regard to case. */
  denyList?: readonly string[];
  /**
   * More sites for built-in or new categories, e.g. `{ banking: { level: "restricted", sites: ["bank.example"] } }`. Naming
   * `password_manager`, which has no level, throws `RangeError`: such sites belong in `blockedSites`.
   */
  categories?: Readonly<Record<string, { level: PrivacyLevel; sites: readonly string[] }>>;
  /** Kinds that are not looked for. Kinds of the floor cannot be switched off: naming one throws `RangeError`. */
  detectorsOff?: readonly string[];
  /** Kinds that are looked for at every level and in every field. */
  detectorsOn?: readonly string[];
  /** Patterns of the operator's own. One that does not compile, or matches nothing at all, throws `RangeError`. */
  patterns?: readonly CustomPattern[];
}
