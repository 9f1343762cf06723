import { expect, test } from "vitest";
import { coveringSite, readSite } from "./sites.js";

test.each([
  ["example.com", "example.com"],
  ["*.Example.com", "example.com"],
  ["https://www.example.com/health/?x=1#y", "example.com/health"],
  ["http://localhost:8080/", "localhost"],
  ["example.com/*", "example.com"],
  ["bücher.example", "xn--bcher-kva.example"],
])("%s is the site %s", (typed, site) => {
  expect(readSite(typed)).toBe(site);
});

test.each(["", "https://", "two words", "*", "a@b.example", "exa*mple.com", `example.com/${"ü".repeat(700)}`])("%j is no site", (typed) => {
  expect(readSite(typed)).toBeUndefined();
});

test("a site covers what is below it, and nothing that only looks like it", () => {
  expect(coveringSite(["b.example", "a.example/x"], "https://sub.b.example/y")).toBe("b.example");
  expect(coveringSite(["b.example"], "https://not-b.example/")).toBeUndefined();
  expect(coveringSite(["a.example/x"], "https://a.example/xy")).toBeUndefined();
  expect(coveringSite(["a.example/x"], "https://a.example/x/y")).toBe("a.example/x");
});
