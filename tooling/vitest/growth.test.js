import { describe, expect, test } from "vitest";

import { expectAlike, expectLinear } from "./growth.js";

/** So many steps that none is left out, whatever the compiler makes of them. */
function steps(count) {
  let sum = 0;
  for (let step = 0; step < count; step++) sum = (sum * 31 + step) | 0;
  return sum;
}

describe("work is told by its growth", () => {
  test.each([
    ["linear work", (size) => steps(size * 200)],
    ["linear work that leaves garbage", (size) => Array.from({ length: size * 8 }, (_, index) => ({ index, text: `${index}` }))],
    ["work that takes no time to speak of", (size) => steps((size * size) / 100_000)],
  ])("%s passes", (_, run) => expectLinear(run, 100_000));

  test("quadratic work fails", () => {
    expect(() => expectLinear((size) => steps(size * size), 6_000)).toThrow(/to be less than/);
  });
});

describe("work is told by its price", () => {
  test("as much work passes", () =>
    expectAlike(
      () => steps(1e7),
      () => steps(1e7),
    ));

  test("eight times as much fails", () => {
    expect(() =>
      expectAlike(
        () => steps(1e7),
        () => steps(8e7),
      ),
    ).toThrow(/to be less than/);
  });
});
