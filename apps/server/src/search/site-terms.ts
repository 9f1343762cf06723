import { hash } from "node:crypto";
import { siteParts } from "@periscope/privacy";
import type { IndexTerm } from "./search-index.js";

const hostTerm = (host: string): IndexTerm => `=${host}`;
/** A hash keeps a segment short and apart from others that differ by capitals only. */
const segmentTerm = (segment: string, depth: number): IndexTerm => `=/${depth}/${hash("sha256", segment, "hex").slice(0, 16)}`;

/**
 * The last labels of a host and the first segments of a path, so many of each, are indexed. Anybody can choose them to collide in FTS5's
 * hash table, as words can, see `search-document.ts`.
 */
export const sitePartsMax = 32;
/** No site has a longer host. */
const hostCharsMax = 253;

function partsOf(url: string): { hosts: string[]; segments: string[] } {
  const { labels, segments } = siteParts(url);
  const last = labels.slice(-sitePartsMax);
  const hosts = last.map((_, at) => last.slice(at).join(".")).filter((host) => host.length <= hostCharsMax);
  return { hosts, segments: segments.slice(0, sitePartsMax) };
}

/** Index terms of a page for every site that it is of. */
export function siteTerms(url: string): IndexTerm[] {
  const { hosts, segments } = partsOf(url);
  return [...hosts.map(hostTerm), ...segments.map(segmentTerm)];
}

/** Index terms that the pages of a site have. `site` is as `siteOf` writes it. */
export function siteMatches(site: string): IndexTerm[] {
  const { hosts, segments } = partsOf(`http://${site}`);
  return [...hosts.slice(0, 1).map(hostTerm), ...(site.includes("/") ? segments.map(segmentTerm) : [])];
}

/** Whether only pages of the site have what {@link siteMatches} answers: the site has no more parts than are indexed. */
export function isExactSite(site: string): boolean {
  const [host = "", ...segments] = site.split("/");
  return host.split(".").length <= sitePartsMax && segments.length <= sitePartsMax;
}
