import { expect, test } from "vitest";
import { durationOption, scopesOption } from "./option-values.js";

test.each([
  ["30m", 1_800_000],
  ["12h", 43_200_000],
  ["90d", 7_776_000_000],
  ["2w", 1_209_600_000],
  ["1y", 31_536_000_000],
])("%s is %i ms", (text, ms) => {
  expect(durationOption(text)).toBe(ms);
});

test.each(["", "d", "90", "0d", "-1d", "1.5h", "1e3d", "90 d", "90D", "90days", "1000000d", "1d2h"])("%j is no duration", (text) => {
  expect(() => durationOption(text)).toThrow("such as 90d");
});

test("scopes come once each, in the order of the contract", () => {
  expect(scopesOption("delete, read,delete")).toEqual(["read", "delete"]);
});
