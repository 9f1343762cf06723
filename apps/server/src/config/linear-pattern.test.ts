import type { FilterPolicy } from "@periscope/privacy";
import { expectAlike, expectLinear } from "@periscope/vitest/growth";
import { describe, expect, test } from "vitest";
import { createPrivacyFilter } from "../privacy/privacy-filter.js";
import { assertLinearPattern } from "./linear-pattern.js";

test.each([
  "EMP-[0-9]{5}",
  "(?:badge|pass) ?[A-Z]{2}[0-9]{4,8}",
  "ACME\\d{3}x?",
  "[\\]a]{1,3}",
  "a|b|c",
  "[a-z]{1,64}\\.[a-z]{1,64}@corp\\.example",
  "\\b[A-Z]{2,4}-[0-9]{3,8}\\b",
  "(?:a|(?:b|c)d)[a-z]{0,64}?",
  "a{0,12}a{0,11}b",
  "\\p{L}{1,64}\\u{2d}\\p{L}{1,64}1",
])("accepts %j", (pattern) => {
  expect(() => assertLinearPattern(pattern)).not.toThrow();
});

test.each([
  ["a*", "unbounded"],
  ["a+", "unbounded"],
  ["a{2,}", "repetition"],
  ["[]|a+[^]", "unbounded"],
  ["(a|b){2}", "group"],
  ["(a)\\1", "back-references"],
  ["(?=a)b", "groups"],
  ["(?<!a)b", "groups"],
  ["(?i:a)b", "groups"],
  ["(a)\\1{0,3}", "back-references"],
  ["[a-z", "Unterminated character class"],
  ["", "characters"],
  ["a".repeat(501), "characters"],
  ["[a-z]{1,400}[a-z]{1,400}", "too many ways"],
  ["[a-z]{1,600}", "too many ways"],
  ["a{0,99}a{0,99}b", "too many ways"],
  [`${"(a|a)".repeat(26)}b`, "too many ways"],
  [`${"(a|a)".repeat(98)}b`, "millions of steps"],
  ["(((a|a)(a|a)|(a|a)(a|a))((a|a)(a|a)|(a|a)(a|a)))(a|a)(a|a)b", "too many ways"],
  ["a?".repeat(9) + "b", "too many ways"],
  ["[a-z]{1,64}.[a-z]{1,64}x", "too many ways"],
  ["[a-z]{1,64}b[a-z]{1,64}x", "too many ways"],
  ["[a-z@]{1,64}@?[a-z]{1,64}x", "too many ways"],
  ["[a-z]{1,64}^[a-z]{1,64}x", "too many ways"],
  ["[a-z]{1,64}\\b[a-z]{1,64}x", "too many ways"],
  ["(a|b", "Unterminated group"],
  ["a|b)", "Unmatched ')'"],
  ["?a", "Nothing to repeat"],
  ["a{1,2}{3}", "Nothing to repeat"],
  ["a{3,2}", "numbers out of order"],
  ["(?<name>a)", "groups"],
])("refuses %j: %s", (pattern, why) => {
  expect(() => assertLinearPattern(pattern)).toThrow(why);
});

const textSize = 32_768;

/** Patterns that grow with a number, each of which tries all its ways on a text of `a`. */
const families: ReadonlyArray<readonly [name: string, pattern: (size: number) => string]> = [
  ["a repetition", (size) => `a{0,${size}}b`],
  ["two repetitions", (size) => `a{0,${size}}a{0,${size}}b`],
  ["three repetitions", (size) => `a{0,${size}}[a-z]{0,${size}}\\w{0,${size}}b`],
  ["a repetition before what it may repeat", (size) => `[a-z]{0,${size}}a[a-z]{0,${size}}1`],
  ["a repetition before what it cannot repeat", (size) => `[a-z]{0,${size}}@[a-z]{0,${size}}1`],
  ["letters that may be missing", (size) => `${"a?".repeat(size)}b`],
  ["groups in a row", (size) => `${"(a|a)".repeat(size)}b`],
  ["groups in a row, of classes", (size) => `${"(?:[ab]|[ac])".repeat(size)}b`],
  ["groups in groups", (size) => `${"(?:[ab]|".repeat(size)}[ac]${")[a-z]".repeat(size)}b`],
  ["a group of many", (size) => `(?:${Array.from({ length: size }, () => "[ab]{0,9}").join("|")})b`],
];

describe("a pattern that is accepted takes linear time", () => {
  test.each(families)("%s", (_, patternOf) => {
    const isAccepted = (pattern: string): boolean => {
      try {
        assertLinearPattern(pattern);
        return true;
      } catch {
        return false;
      }
    };
    let size = 1;
    while (size < 512 && isAccepted(patternOf(size + 1))) size++;
    const find = (pattern: string) => {
      const policy: FilterPolicy = { patterns: [{ kind: "own", pattern, from: "public" }] };
      const filter = createPrivacyFilter(policy, "1");
      return (text: string) => filter.textAt(text, "public");
    };
    const largest = find(patternOf(size));
    expectLinear((length) => largest("a".repeat(length)), textSize);
    // As many steps in the plainest way: none takes more than it was counted for.
    const text = "a".repeat(textSize);
    const plainest = find("a{0,164}b");
    expectAlike(
      () => plainest(text),
      () => largest(text),
    );
  });
});
