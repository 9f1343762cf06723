import { type PrivacyLevel, maxLevel } from "@periscope/privacy";
import { type MessageFilter, type NewMessage, privacyFilter } from "@periscope/sync/core";
import type { Captures, Settings } from "../settings/settings.js";
import { haltOf, ruleAgainst } from "./page-state.js";
import { levelOf, policyOf } from "./policy.js";

/**
 * The last word on what may be kept: consent, switches, sites and levels as they are at that moment, then the privacy filter. A message of a
 * site that was blocked a moment ago, by a page that is still open, ends here.
 */
export function recordingFilter(settings: () => Promise<Settings>, now: () => number): MessageFilter {
  const filters = new WeakMap<object, MessageFilter>();
  return async (message) => {
    const current = await settings();
    const halt = haltOf(current, now());
    if (halt !== undefined) return { keep: false, rule: halt.is };
    const rule = ruleOn(current, message);
    if (rule !== undefined) return { keep: false, rule };
    const policy = policyOf(current);
    const filter = filters.get(policy) ?? privacyFilter(policy);
    filters.set(policy, filter);
    return await filter(atLevel(current, message));
  };
}

/** The rule of the person's that a message is against. */
function ruleOn(settings: Settings, message: NewMessage): string | undefined {
  if (message.type !== "create" && message.type !== "update") return undefined;
  const { context } = message.payload;
  const { type } = context;
  if (type !== undefined && type !== "custom" && !settings.captures[type satisfies keyof Captures]) return `not-switched-on:${type}`;
  const addresses = [context.url, context.tabMetadata?.url].filter((url) => url !== undefined);
  return addresses.map((url) => ruleAgainst(settings, url)?.is).find((rule) => rule !== undefined);
}

/** A message at the level that its site has, or higher where it asks for more than the usual. */
function atLevel(settings: Settings, message: NewMessage): NewMessage {
  if (message.type !== "create") return message;
  const { context } = message.payload;
  const asked: PrivacyLevel = context.privacyLevel === undefined || context.privacyLevel === "private" ? "public" : context.privacyLevel;
  const level = levelOf(settings, context.url ?? context.tabMetadata.url);
  return { ...message, payload: { ...message.payload, context: { ...context, privacyLevel: maxLevel(level, asked) } } };
}
