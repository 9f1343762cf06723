import { expect, test } from "vitest";
import { isAtMost, maxLevel, privacyLevels } from "./index.js";

test("one total order", () => {
  expect(privacyLevels).toEqual(["public", "private", "filtered", "restricted"]);
  for (const [i, a] of privacyLevels.entries()) {
    for (const [j, b] of privacyLevels.entries()) {
      expect(maxLevel(a, b)).toBe(privacyLevels[Math.max(i, j)]);
      expect(isAtMost(a, b)).toBe(i <= j);
    }
  }
});
