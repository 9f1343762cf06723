import { classify, maxLevel, type PrivacyLevel } from "@periscope/privacy";
import { consentVersion, type Settings, siteLists } from "../settings/settings.js";
import { coveringSite, isWebPage } from "../sites/site-list.js";
import { levelOf, policyOf } from "./policy.js";

/** Why nothing at all is recorded now. */
export type Halt = { is: "waiting-for-consent" } | { is: "no-server" } | { is: "off" } | { is: "paused"; until: number };

/** Whether a page is recorded, and if not, why. */
export type PageState =
  | { is: "recorded"; level: PrivacyLevel; reasons: string[] }
  | { is: "not-a-web-page" }
  | { is: "private-window" }
  | { is: "blocked"; site: string }
  | { is: "not-listed" }
  | { is: "password-manager" }
  | { is: "no-access" }
  | Halt;

/** A page as far as rules look at it. */
export interface PageFacts {
  url: string;
  incognito: boolean;
  /** Whether the browser lets the extension into the page. */
  hasAccess: boolean;
}

/** Why nothing is recorded, whatever the page; undefined when pages are. */
export function haltOf(settings: Settings, now: number): Halt | undefined {
  if (!hasConsent(settings)) return { is: "waiting-for-consent" };
  if (!settings.isRecording) return { is: "off" };
  if (settings.pausedUntil !== null && settings.pausedUntil > now) return { is: "paused", until: settings.pausedUntil };
  return settings.server === "" ? { is: "no-server" } : undefined;
}

/** Whether the person agreed to what is sent today. */
export function hasConsent({ consent }: Settings): boolean {
  return consent !== null && consent.version >= consentVersion;
}

/**
 * Whether the page of the consent opens by itself, by the reason of `runtime.onInstalled`: after the installation, and after an update when more is sent than
 * was agreed to. Whoever declined or withdrew is not asked again.
 */
export function asksForConsent(reason: `${chrome.runtime.OnInstalledReason}`, settings: Settings): boolean {
  return !hasConsent(settings) && (reason === "install" || (reason === "update" && settings.consent !== null));
}

/** What the rules say of an address alone; undefined when they let it be recorded. */
export function ruleAgainst(settings: Settings, url: string): PageState | undefined {
  if (!isWebPage(url)) return { is: "not-a-web-page" };
  const site = coveringSite(settings[siteLists[settings.siteMode]], url);
  if (settings.siteMode === "all-but" && site !== undefined) return { is: "blocked", site };
  if (settings.siteMode === "only" && site === undefined) return { is: "not-listed" };
  return classify(url).captured ? undefined : { is: "password-manager" };
}

/** Whether a page is recorded, and at which level at least. */
export function pageState(settings: Settings, page: PageFacts, now: number): PageState {
  if (!hasConsent(settings)) return { is: "waiting-for-consent" };
  if (page.incognito) return { is: "private-window" };
  const against = ruleAgainst(settings, page.url) ?? haltOf(settings, now);
  if (against !== undefined) return against;
  if (!page.hasAccess) return { is: "no-access" };
  const { level: least = "public", reasons } = classify(page.url, { policy: policyOf(settings) });
  return { is: "recorded", level: maxLevel(levelOf(settings, page.url), least), reasons };
}
