import * as fc from "fast-check";
import { expect, test } from "vitest";
import { urlMatcher } from "./url-pattern.js";

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
