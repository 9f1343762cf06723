import { siteMatcher, siteOf } from "@periscope/privacy";
import { expect, test } from "vitest";
import { isExactSite, siteMatches, siteTerms } from "./site-terms.js";

const urls = [
  "https://lamps.example",
  "https://www.lamps.example./oil/",
  "http://docs.lamps.example:8080/%6Fil//1?x#y",
  "https://lamps.example/Oil",
  "https://lamps.example/oil;v=1/../rope",
  "https://lamps.example/oilcan",
  "https://badlamps.example/oil",
  "https://other.example/lamps.example/oil?lamps.example",
  "https://bücher.example/ä/%C3%A4",
  "http://[::1]:3000/oil",
  "http://10.0.0.1/oil",
  `https://lamps.example/${"a/".repeat(2_000)}`,
  `https://lamps.example/${"a/".repeat(32)}b`,
  `https://lamps.example/${"a/".repeat(31)}b`,
  `https://${"a.".repeat(4_000)}lamps.example/oil`,
  "http://a'b.example/",
  "file:///oil",
  "no url",
];
const sites = ["lamps.example", "example", "www.lamps.example/oil", "lamps.example/oil/1", "lamps.example/Oil", "bücher.example/ä/ä"];
sites.push("[::1]/oil", "10.0.0.1", "0.0.1", "lamps.example/;x", `lamps.example/${"a/".repeat(900)}`, "other.example/lamps.example");

sites.push(...[30, 31, 32].map((count) => `lamps.example/${"a/".repeat(count)}b`), `${"a.".repeat(40)}lamps.example`);

test.each(sites)("matches exactly the pages of %s by its index terms", (text) => {
  const site = siteOf(text) ?? "";
  const isOfSite = siteMatcher(site);
  const found = urls.filter((url) => siteMatches(site).every((term) => siteTerms(url).includes(term)));
  // More is found only of a site that has more parts than are indexed.
  expect(isExactSite(site) ? found : found.filter(isOfSite)).toEqual(urls.filter(isOfSite));
  expect(siteMatches(site)).not.toEqual([]);
});

test("writes terms without spaces and capitals", () => {
  expect(urls.flatMap(siteTerms).filter((term) => /[\sA-Z]/.test(term) || term.length > 260)).toEqual([]);
});
