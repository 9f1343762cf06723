import { hash } from "node:crypto";
import { siteParts } from "@periscope/privacy";
import type { IndexTerm } from "./search-index.js";

const hostTerm = (host: string): IndexTerm => `=${host}`;
/** A hash keeps a segment short and apart from others that differ by capitals only. */
const segmentTerm = (segment: string, depth: number): IndexTerm => `=/${depth}/${hash("sha256", segment, "hex").slice(0, 16)}`;

/** Index terms of a page for every site that it is of. */
export function siteTerms(url: string): IndexTerm[] {
  const { hosts, segments } = siteParts(url);
  return [...hosts.map(hostTerm), ...segments.map(segmentTerm)];
}

/** Index terms that the pages of a site have, and no others. `site` is as `siteOf` writes it. */
export function siteMatches(site: string): IndexTerm[] {
  const { hosts, segments } = siteParts(`http://${site}`);
  return [...hosts.slice(0, 1).map(hostTerm), ...(site.includes("/") ? segments.map(segmentTerm) : [])];
}
