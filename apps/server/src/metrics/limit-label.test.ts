import { expect, test } from "vitest";
import { limitLabel } from "./limit-label.js";

test("past the limit, values that were not there before count together", () => {
  const label = limitLabel(2);
  expect(["email", "card", "own_1", "email", "own_2", "card"].map(label)).toEqual(["email", "card", "(other)", "email", "(other)", "card"]);
});
