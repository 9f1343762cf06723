import { siteMatcher, siteOf } from "@periscope/privacy";
import { expect, test } from "vitest";
import { siteMatches, siteTerms } from "./site-terms.js";

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
  "file:///oil",
  "no url",
];
const sites = ["lamps.example", "example", "www.lamps.example/oil", "lamps.example/oil/1", "lamps.example/Oil", "bücher.example/ä/ä"];
sites.push("[::1]/oil", "10.0.0.1", "0.0.1", "lamps.example/;x", `lamps.example/${"a/".repeat(900)}`, "other.example/lamps.example");

test.each(sites)("finds by the terms of %s what is of that site", (text) => {
  const site = siteOf(text) ?? "";
  const isOfSite = siteMatcher(site);
  const found = urls.filter((url) => siteMatches(site).every((term) => siteTerms(url).includes(term)));
  expect(found).toEqual(urls.filter(isOfSite));
  expect(siteMatches(site)).not.toEqual([]);
});

test("writes terms without spaces, quotes and capitals", () => {
  expect(urls.flatMap(siteTerms).filter((term) => /[\s"'A-Z]/.test(term) || term.length > 260)).toEqual([]);
});
