import { expect, test } from "vitest";
import { serviceOptions } from "./options.ts";

test("options have defaults, and the full size is 100,000", () => {
  expect(serviceOptions([])).toEqual({ contexts: 20_000, rounds: 5, seconds: 2, only: [], profile: undefined });
  expect(serviceOptions(["--full", "--only", "sync,current", "--seconds=0.5"])).toMatchObject({
    contexts: 100_000,
    only: ["sync", "current"],
    seconds: 0.5,
  });
});

test.each([
  [["--contexts", "many"], "--contexts takes a number from 1000 to 1000000, not many."],
  [["--rounds", "0"], "--rounds takes"],
  [["--fast"], "--fast"],
])("%j is refused", (args, message) => {
  expect(() => serviceOptions(args)).toThrow(message);
});
