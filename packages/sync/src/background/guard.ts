import type { PrivacyLevel } from "@periscope/schemas";
import type { FilterVerdict, MessageFilter } from "../core/message-filter.js";
import type { NewMessage } from "../core/message.js";
import type { Explanation, Privacy, UserRules } from "../core/privacy.js";
import type { ExtensionApis } from "./extension-apis.js";
import { siteTest } from "./site-pattern.js";
import { blockOf } from "./user-rules.js";

/** What stands before the disk: private windows, the user's sites, and then the filter. */
export interface Guard {
  filter: MessageFilter;
  explain(message: NewMessage): Promise<Explanation>;
}

/**
 * A privacy that is a filter alone knows no rules: the levels of its user's sites are asked for in the message.
 * @throws TypeError for what is neither, as where types are not looked at
 */
export function asPrivacy(privacy: Privacy | MessageFilter): Privacy {
  if (typeof privacy !== "function") {
    if (typeof (privacy as Privacy | undefined)?.filter === "function") return privacy;
    throw new TypeError("createContextSync needs `privacy`: what definePrivacy(…) makes, or a filter.");
  }
  const filter = async (message: NewMessage, rules: UserRules) => await privacy(raised(message, rules));
  return {
    filter,
    async explain(message, rules) {
      const verdict = await filter(message, rules);
      if (!verdict.keep) return { captured: false, rule: verdict.rule, reasons: [] };
      return { captured: true, message: verdict.message, reasons: [], redactions: {}, findings: [] };
    },
  };
}

/** Puts what the host knows before what the filter knows. Rejects when the rules cannot be had: then nothing is kept. */
export function guardOf(privacy: Privacy, { rules, apis }: { rules: () => Promise<UserRules>; apis: ExtensionApis }): Guard {
  async function ruleAgainst(message: NewMessage, now: UserRules): Promise<string | undefined> {
    if (apis.extension?.inIncognitoContext === true) return "private-window";
    return blockOf(now, addressesOf(message));
  }
  return {
    async filter(message): Promise<FilterVerdict> {
      const now = await rules();
      const rule = await ruleAgainst(message, now);
      return rule === undefined ? await privacy.filter(message, now) : { keep: false, rule };
    },
    async explain(message) {
      const now = await rules();
      const rule = await ruleAgainst(message, now);
      return rule === undefined ? await privacy.explain(message, now) : { captured: false, rule, reasons: [rule] };
    },
  };
}

/** Addresses of the page that a message speaks of. */
export function addressesOf(message: NewMessage): string[] {
  if (message.type !== "create" && message.type !== "update") return [];
  const { url, tabMetadata } = message.payload.context;
  return [url, tabMetadata?.url].filter((address) => address !== undefined);
}

const levels: readonly PrivacyLevel[] = ["public", "private", "filtered", "restricted"];

function raised(message: NewMessage, { siteRules }: UserRules): NewMessage {
  if (message.type !== "create") return message;
  const urls = addressesOf(message).map((address) => new URL(address));
  const asked = siteRules.filter(({ site }) => urls.some(siteTest(site))).map(({ level }) => level);
  const { context } = message.payload;
  const level = levels.findLast((each) => each === (context.privacyLevel ?? "private") || asked.includes(each));
  return { ...message, payload: { ...message.payload, context: { ...context, privacyLevel: level ?? "restricted" } } };
}
