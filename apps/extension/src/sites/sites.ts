import { classify, type FilterPolicy, siteOf } from "@periscope/privacy";
import type { ExtensionApi } from "../extension-api.js";

const lists = new WeakMap<readonly string[], FilterPolicy>();

/** The first site of a list that covers an address, as the filter matches sites: a host with everything below it, with a path if need be. */
export function coveringSite(sites: readonly string[], url: string): string | undefined {
  const policy = lists.get(sites) ?? { blockedSites: sites };
  lists.set(sites, policy);
  const isIn = (policy: FilterPolicy) => classify(url, { policy }).reasons.includes("blocked-site");
  return isWebPage(url) && isIn(policy) ? sites.find((site) => isIn({ blockedSites: [site] })) : undefined;
}

export const isWebPage = (url: string): boolean => /^https?:/i.test(url) && URL.canParse(url);

/**
 * A site from what a person types or pastes: `example.com`, `*.example.com`, `https://example.com/private?x`. `undefined` for what is none.
 */
export function readSite(text: string): string | undefined {
  const bare = text
    .trim()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, "")
    .replace(/^(?:\*\.|\.)/, "")
    .replace(/[?#].*$/, "")
    .replace(/^([^/]*):[0-9]{1,5}(?=\/|$)/, "$1")
    .replace(/\/+(?:\*)?$/, "");
  const site = siteOf(bare);
  // One that grew too long by being encoded is none any more when it is read again.
  return site !== undefined && siteOf(site) === site ? site : undefined;
}

/** Every page that the browser lets extensions into. */
export const everySite: readonly string[] = ["http://*/*", "https://*/*"];

/** The browser's patterns for a site: the host, all below it, and its path with all below that. */
export function matchPatternsOf(site: string): string[] {
  const host = site.replace(/\/.*$/, "");
  const path = site.slice(host.length);
  // Nothing is below an address of numbers, and patterns with such a thing are refused.
  const hosts = isNumeric(host) ? host : `*.${host}`;
  return path === "" ? [`*://${hosts}/*`] : [`*://${hosts}${path}`, `*://${hosts}${path}/*`, `*://${hosts}${path}?*`];
}

/** What the browser is asked for so that a site can be recorded: whole hosts alone, and one scheme at a time, as the manifest names them. */
export function hostPatternsOf(site: string): string[] {
  return matchPatternsOf(site.replace(/\/.*$/, "")).flatMap((pattern) => [`http${pattern.slice(1)}`, `https${pattern.slice(1)}`]);
}

const isNumeric = (host: string): boolean => host.startsWith("[") || /^\d+\.\d+\.\d+\.\d+$/.test(host);

/** What the browser is asked for so that the extension may reach an address. Patterns name no port: this is the host with each of them. */
export function originPattern(url: string): string {
  const { protocol, hostname } = new URL(url);
  return `${protocol}//${hostname}/*`;
}

/** Whether the browser lets the extension into a page, or ask a server. */
export async function hasAccessTo(permissions: Pick<ExtensionApi["permissions"], "contains">, url: string): Promise<boolean> {
  return isWebPage(url) && (await permissions.contains({ origins: [originPattern(url)] }));
}
