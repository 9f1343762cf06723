import { classify, type FilterPolicy, siteOf } from "@periscope/privacy";

const lists = new WeakMap<readonly string[], FilterPolicy>();

/** The first site of a list that covers an address, as the filter matches sites: a host with everything below it, with a path if need be. */
export function coveringSite(sites: readonly string[], url: string): string | undefined {
  const policy = lists.get(sites) ?? { blockedSites: sites };
  lists.set(sites, policy);
  const isIn = (policy: FilterPolicy) => classify(url, { policy }).reasons.includes("blocked-site");
  return isWebPage(url) && isIn(policy) ? sites.find((site) => isIn({ blockedSites: [site] })) : undefined;
}

/** Whether an address is one whose pages can be recorded. */
export function isWebPage(url: string): boolean {
  return /^https?:/i.test(url) && URL.canParse(url);
}

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
