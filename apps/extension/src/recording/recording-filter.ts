import { isAtMost, maxLevel, type PrivacyLevel } from "@periscope/privacy";
import { type MessageFilter, type NewMessage, privacyFilter } from "@periscope/sync/core";
import type { Settings } from "../settings/settings.js";
import { haltOf, ruleAgainst, switchedOff } from "./page-state.js";
import { levelOf, siteRulesOf } from "./policy.js";

interface RecordingRules {
  settings: () => Promise<Settings>;
  now: () => number;
  /** Whether the browser lets the extension into a page, or a person asks for just this of it: of others not even the address is kept. */
  hasAccess: (url: string, message: Pick<Asked, "tabId" | "type">) => Promise<boolean>;
}

/**
 * The last word on what may be kept: consent, switches, sites and levels as they are at that moment, then the privacy filter. A message of a
 * site that was blocked a moment ago, by a page that is still open, ends here.
 */
export function recordingFilter({ settings, now, hasAccess }: RecordingRules): MessageFilter {
  const filter = privacyFilter(async () => siteRulesOf(await settings()).policy);

  const ruleOnAddress = async (
    current: Settings,
    url: string,
    { type = "", tabId = "" }: { [name in "type" | "tabId"]?: string | undefined },
  ): Promise<string | undefined> => ruleAgainst(current, url)?.is ?? ((await hasAccess(url, { tabId, type })) ? undefined : "no-access");

  async function ruleOnContext(current: Settings, message: NewMessage): Promise<string | undefined> {
    if (message.type !== "create" && message.type !== "update") return undefined;
    const { context } = message.payload;
    const { type = "", url, tabMetadata } = context;
    if (type !== "" && type !== "custom" && !current.captures[type]) return `${switchedOff}${type}`;
    for (const address of [url, tabMetadata?.url]) {
      const rule = address === undefined ? undefined : await ruleOnAddress(current, address, context);
      if (rule !== undefined) return rule;
    }
    return undefined;
  }

  /** Leaves out the page before where that is kept out, or less is kept of its site. */
  async function withAllowedReferrer(current: Settings, message: NewMessage): Promise<NewMessage> {
    if (message.type !== "create" && message.type !== "update") return message;
    const { context } = message.payload;
    const { referrer, ...tabMetadata } = context.tabMetadata ?? {};
    if (referrer === undefined) return message;
    const isAllowed = (await ruleOnAddress(current, referrer, context)) === undefined;
    if (isAllowed && isAtMost(levelOf(current, referrer), context.privacyLevel ?? "public")) return message;
    return { ...message, payload: { ...message.payload, context: { ...context, tabMetadata } } } as NewMessage;
  }

  return async (message) => {
    const current = await settings();
    const rule = haltOf(current, now())?.is ?? (await ruleOnContext(current, message));
    return rule === undefined ? await filter(await withAllowedReferrer(current, atLevel(current, message))) : { keep: false, rule };
  };
}

/** A message at the level that its site has, or higher where it asks for more than the usual. */
function atLevel(settings: Settings, message: NewMessage): NewMessage {
  if (message.type !== "create" && message.type !== "update") return message;
  const { context } = message.payload;
  const asked: PrivacyLevel = context.privacyLevel === undefined || context.privacyLevel === "private" ? "public" : context.privacyLevel;
  const url = context.url ?? context.tabMetadata?.url;
  if (url === undefined) return message;
  const privacyLevel = maxLevel(levelOf(settings, url), asked);
  return { ...message, payload: { ...message.payload, context: { ...context, privacyLevel } } } as NewMessage;
}

/** What of a page a person asked for. */
interface Asked {
  tabId: string;
  url: string;
  type: string;
}

/**
 * What is being asked for by menu and keyboard. The browser lets the extension into such a page for as long as it stays (`activeTab`) and says nothing of it when
 * it is asked for access: only this is kept of the site, and only while it is asked for. The worker lives as long.
 */
export function askedPages() {
  const current = new Set<Asked>();
  return {
    /** Does something while this may be kept. */
    async during<T>(asked: Asked, work: () => Promise<T>): Promise<T> {
      current.add(asked);
      try {
        return await work();
      } finally {
        current.delete(asked);
      }
    },
    /** Whether a person is asking for this right now; pages of an origin are the same, as one may move on meanwhile. */
    covers: ({ tabId, url, type }: Asked): boolean =>
      [...current].some((asked) => asked.tabId === tabId && asked.type === type && new URL(asked.url).origin === new URL(url).origin),
  };
}
