import { isOwnServer } from "@periscope/sync/background";
import type { RecordMode } from "@periscope/sync/content";
import { classify, maxLevel, type PrivacyLevel } from "@periscope/privacy";
import { consentVersion, isPaused, type Settings } from "../settings/settings.js";
import { coveringSite, isWebPage } from "../sites/sites.js";
import { levelOf, siteRulesOf } from "./policy.js";

/** Why nothing at all is recorded now. */
export type Halt = { is: "waiting-for-consent" } | { is: "no-server" } | { is: "off" } | { is: "paused"; until: number };

/** Whether a page is recorded, and if not, why. */
export type PageState =
  | { is: "recorded"; level: PrivacyLevel; reasons: string[] }
  | { is: "not-a-web-page" }
  | { is: "private-window" }
  | { is: "own-server" }
  | { is: "blocked"; site: string }
  | { is: "not-listed" }
  | { is: "password-manager" }
  | { is: "no-access" }
  | Halt;

/** Rules of a site or of all pages: of a page that they keep out, not even the address is noted. */
const siteRules: readonly string[] = [
  "not-a-web-page",
  "private-window",
  "own-server",
  "blocked",
  "not-listed",
  "password-manager",
  "no-access",
  "waiting-for-consent",
  "no-server",
  "off",
  "paused",
] satisfies PageState["is"][];

export const hidesAddress = (rule: string): boolean => siteRules.includes(rule);

/** What the rule begins with by which something is kept out that the person has not switched on. */
export const switchedOff = "not-switched-on:";

/** A page as far as rules look at it. */
export interface PageFacts {
  url: string;
  incognito: boolean;
  hasAccess: boolean;
}

/** Why nothing is recorded, whatever the page; undefined when pages are. */
export function haltOf(settings: Settings, now: number): Halt | undefined {
  if (!hasConsent(settings)) return { is: "waiting-for-consent" };
  if (!settings.isRecording) return { is: "off" };
  if (isPaused(settings, now)) return { is: "paused", until: settings.pausedUntil ?? now };
  return settings.server === "" ? { is: "no-server" } : undefined;
}

/** Whether the person agreed to what is sent today. */
export function hasConsent({ consent }: Settings): boolean {
  return consent !== null && consent.version >= consentVersion;
}

/**
 * Whether the page of the consent opens by itself, by the reason of `runtime.onInstalled`: after the installation, and after an update when more is sent than
 * was agreed to. A person who declined or withdrew is not asked again.
 */
export function asksForConsent(reason: `${chrome.runtime.OnInstalledReason}`, settings: Settings): boolean {
  return !hasConsent(settings) && (reason === "install" || (reason === "update" && settings.consent !== null));
}

/** What is recorded of pages now, whichever they are. */
export function recordingOf(settings: Settings, now: number): { mode: RecordMode; form: boolean } {
  const isOn = haltOf(settings, now) === undefined;
  const { page, form } = settings.captures;
  return { mode: !isOn || !page ? "off" : settings.keepsWholePages ? "whole" : "article", form: isOn && form };
}

/** What the rules say of an address alone; undefined when they let it be recorded. */
export function ruleAgainst(settings: Settings, url: string): PageState | undefined {
  if (!isWebPage(url)) return { is: "not-a-web-page" };
  if (isOwnServer(settings.server, url)) return { is: "own-server" };
  const { blocked, recorded } = siteRulesOf(settings);
  const site = coveringSite(blocked, url);
  if (site !== undefined) return { is: "blocked", site };
  if (settings.siteMode === "only" && coveringSite(recorded, url) === undefined) return { is: "not-listed" };
  return classify(url).captured ? undefined : { is: "password-manager" };
}

/** Whether a page is recorded, and at which level at least. */
export function pageState(settings: Settings, page: PageFacts, now: number): PageState {
  if (!hasConsent(settings)) return { is: "waiting-for-consent" };
  if (page.incognito) return { is: "private-window" };
  const against = ruleAgainst(settings, page.url) ?? haltOf(settings, now);
  if (against !== undefined) return against;
  if (!page.hasAccess) return { is: "no-access" };
  const { level: least = "public", reasons } = classify(page.url);
  return { is: "recorded", level: maxLevel(levelOf(settings, page.url), least), reasons };
}
