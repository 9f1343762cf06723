import { expect, test } from "vitest";
import { limitLabel } from "./metrics.js";

test("counts new label values past the limit together", () => {
  const label = limitLabel(2);
  expect(["email", "card", "own_1", "email", "own_2", "card"].map(label)).toEqual(["email", "card", "(other)", "email", "(other)", "card"]);
});
