import { maxLevel, type PrivacyLevel } from "./levels.js";
import type { FilterPolicy } from "./policy.js";

/**
 * The levels of what has none of its own. Settings are filtered at `private` or the operator's minimum, and at `filtered` where the user has a
 * deny-list, which works from there on. Reports of errors are filtered at `filtered` at least: nobody needs contact details to understand an error.
 */
export function recordLevels({ minimumLevel = "private", denyList = [] }: FilterPolicy = {}): {
  settings: PrivacyLevel;
  report: PrivacyLevel;
} {
  const settings = maxLevel(minimumLevel, denyList.length > 0 ? "filtered" : "private");
  return { settings, report: maxLevel(settings, "filtered") };
}
