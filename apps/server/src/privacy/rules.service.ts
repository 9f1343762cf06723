import { limits, PrivacyRules, type StoredPrivacyRules } from "@periscope/schemas";
import { siteOf } from "@periscope/privacy";
import { z } from "zod";
import { toTimestamp } from "../formats.js";
import type { Deps } from "../deps.js";
import { DomainError } from "../domain-error.js";
import type { StoredRules } from "./rules.store.js";

/** A user's own privacy rules; empty ones for who has never set any. */
export async function getRules({ stores }: Pick<Deps, "stores">, userId: string): Promise<StoredPrivacyRules> {
  return present(await stores.rules.find(userId));
}

/** Replaces the user's rules, from the next message on. Throws `unauthorized` when the user is gone. */
export async function replaceRules(
  { stores, clock }: Pick<Deps, "stores" | "clock">,
  userId: string,
  rules: PrivacyRules,
): Promise<StoredPrivacyRules> {
  const stored = await stores.rules.replace(userId, rules, clock());
  if (!stored) throw new DomainError("unauthorized", "This user has been deleted. Use another user's key.");
  return present(stored);
}

function present(stored: StoredRules | null): StoredPrivacyRules {
  if (!stored) return { blockedSites: [], siteRules: [], denyList: [], updatedAt: null };
  return { ...stored.rules, updatedAt: toTimestamp(stored.updatedAt) };
}

/**
 * The body that replaces a user's rules: fields that are not known are ignored, but none of the lists may be left out, so that a
 * mistyped name does not wipe one. Sites come out in the form in which they match, each once.
 */
export const PrivacyRulesBody = z
  .record(z.string(), z.unknown(), "must be a JSON object")
  .pipe(PrivacyRules)
  .transform(({ blockedSites, siteRules, denyList }, ctx): PrivacyRules => {
    const refuse = (path: PropertyKey[], message: string) => ctx.addIssue({ code: "custom", path, message });
    const site = (text: string, path: PropertyKey[]) => {
      const found = siteOf(text);
      if (found === undefined) refuse(path, "must be a host, with a path if need be, such as bank.example or example.com/health");
      else if (found.length > limits.siteCharsMax) refuse(path, `must have at most ${limits.siteCharsMax} characters as ASCII`);
      return found ?? text;
    };
    const blocked = blockedSites.map((text, index) => site(text, ["blockedSites", index]));
    const levels = new Map<string, PrivacyRules["siteRules"][number]>();
    for (const [index, rule] of siteRules.entries()) {
      const path = ["siteRules", index, "site"];
      const wanted = { site: site(rule.site, path), level: rule.level };
      if ((levels.get(wanted.site)?.level ?? wanted.level) !== wanted.level)
        refuse(path, "is named before with another level; name it once");
      levels.set(wanted.site, wanted);
    }
    return { blockedSites: [...new Set(blocked)], siteRules: [...levels.values()], denyList: [...new Set(denyList)] };
  });
