import { comparedPath } from "./compared-path.js";
import { ipv4Of, siteOf } from "./site.js";

/** Whether pages are of a site, as {@link siteOf} takes it: a host with everything below it, optionally with a path. */
export function siteMatcher(site: string): (url: string) => boolean {
  const index = indexSites([[site, true]]);
  return (url) => {
    const location = locationOf(url);
    return location !== undefined && matchSites(index, location).length > 0;
  };
}

/**
 * What an index needs of a page to find it by its site, as {@link siteMatcher} does: the labels of the host, and the segments of the
 * compared path. A page is of a site whose labels its own end with, and whose segments its own begin with.
 * Empty for text that is no URL.
 */
export function siteParts(url: string): { labels: string[]; segments: string[] } {
  const { host, path } = locationOf(url) ?? { host: "", path: "" };
  return { labels: host === "" ? [] : host.split("."), segments: comparedPath(path).split("/").slice(1) };
}

/** undefined for text that is no URL. */
function locationOf(url: string): Location | undefined {
  if (!URL.canParse(url)) return undefined;
  const { hostname, pathname } = new URL(url);
  return { host: ipv4Of(hostname.replace(/\.$/, "")), path: pathname };
}

/** Where a page is, as sites are matched against it. */
export interface Location {
  /** Lower case, without port and trailing dot. */
  readonly host: string;
  /** With its leading slash, without query and fragment. */
  readonly path: string;
}

/** Sites in a form in which one is found by its host's suffixes. */
export type SiteIndex<T> = ReadonlyMap<string, ReadonlyArray<{ readonly path: string; readonly value: T }>>;

/**
 * Indexes sites by host: as {@link siteOf} takes them, or an address with its scheme, port, query or a leading `*.`, which play no part.
 * Blank and broken entries are left out.
 */
export function indexSites<T>(sites: Iterable<readonly [site: string, value: T]>): SiteIndex<T> {
  const index = new Map<string, Array<{ path: string; value: T }>>();
  for (const [given, value] of sites) {
    const [, host = "", path = ""] =
      /^(?:[a-z][a-z0-9+.-]{0,20}:\/\/)?(?:\*\.|\.)?(\[[^\]\s]{1,60}\]|[^/?#\s:]{1,253})(?::[0-9]{1,5})?(\/[^?#\s]{0,2000})?/i.exec(
        given.trim(),
      ) ?? [];
    const site = siteOf(host + path);
    if (site === undefined) continue;
    const slash = site.indexOf("/");
    const key = slash < 0 ? site : site.slice(0, slash);
    const entries = index.get(key) ?? [];
    entries.push({ path: slash < 0 ? "" : comparedPath(site.slice(slash)), value });
    index.set(key, entries);
  }
  return index;
}

/**
 * Every entry that covers a location: the host or a parent of it on label boundaries, from the right
 * (`example.com` covers `a.example.com`, not `badexample.com`), and a path prefix on segment boundaries, in any spelling of the
 * path ({@link comparedPath}). The most specific comes first.
 */
export function matchSites<T>(index: SiteIndex<T>, { host, path: given }: Location): T[] {
  const path = comparedPath(given);
  const found: Array<{ specificity: number; value: T }> = [];
  for (let at = 0; at >= 0;) {
    const suffix = host.slice(at);
    for (const entry of index.get(suffix) ?? []) {
      if (entry.path === "" || path === entry.path || path.startsWith(`${entry.path}/`))
        found.push({ specificity: suffix.length + entry.path.length, value: entry.value });
    }
    const dot = host.indexOf(".", at);
    at = dot < 0 ? -1 : dot + 1;
  }
  return found.toSorted((a, b) => b.specificity - a.specificity).map(({ value }) => value);
}
