import * as fc from "fast-check";
import { expect, test } from "vitest";
import { urlMatcher } from "./url-pattern.js";

test.each([
  ["a", "xAx", true],
  ["a*", "ab", true],
  ["a*", "xab", false],
  ["*b", "ab", true],
  ["a*b*c", "aXbYc", true],
  ["a*b*c", "abXc", true],
  ["ab*bc", "abc", false],
  ["a**c", "ac", true],
  ["*", "", true],
  ["a?c", "abc", false],
  [".*", "abc", false],
])("%s on %s: %s", (pattern, url, expected) => {
  expect(urlMatcher(pattern)(url)).toBe(expected);
});

test("agrees with the definition of a wildcard", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "A", "/"), maxLength: 12 });
  const pattern = fc.string({ unit: fc.constantFrom("a", "b", "*"), maxLength: 6 });
  fc.assert(
    fc.property(pattern, text, (wildcard, url) => {
      const source = wildcard.includes("*") ? `^${wildcard.replaceAll("*", ".*")}$` : wildcard;
      expect(urlMatcher(wildcard)(url)).toBe(new RegExp(source, "is").test(url));
    }),
    { numRuns: 1000 },
  );
});
